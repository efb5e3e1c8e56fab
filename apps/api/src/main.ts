import { exitUntilStarted } from '@ats/nest-app/early-exit';

/**
 * Hard deadline in ms after SIGTERM. `Draining` closes all connections before. The deadline ends other work that hangs,
 * such as a query without an answer.
 */
const DEADLINE_MS = 29_000;

const onStarted = exitUntilStarted();
const { start } = await import('./start.js');
await start();
onStarted({ deadlineMs: DEADLINE_MS });
