import { exitUntilStarted } from '@ats/nest-app/early-exit';

/**
 * The process ends at the latest this long after SIGTERM. Work ends earlier, but a Redis that does not answer may keep
 * its connections open.
 */
const DEADLINE_MS = 28_000;

const onStarted = exitUntilStarted();
const { start } = await import('./start.js');
await start();
onStarted({ deadlineMs: DEADLINE_MS });
