import { exitUntilStarted } from '@ats/nest-app/early-exit';

/**
 * Maximum time from SIGTERM to the end of the process. Work ends earlier, but a Redis that does not answer may keep its
 * connections open.
 */
const DEADLINE_MS = 28_000;

const onStarted = exitUntilStarted();
const { start } = await import('./start.js');
await start();
onStarted({ deadlineMs: DEADLINE_MS });
