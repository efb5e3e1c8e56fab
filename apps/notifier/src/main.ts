import { exitUntilStarted } from '@ats/nest-app/early-exit';

/** All work has ended before this deadline. It covers a Redis that keeps connections open and does not answer. */
const DEADLINE_MS = 28_000;

const onStarted = exitUntilStarted();
const { start } = await import('./start.js');
await start();
onStarted({ deadlineMs: DEADLINE_MS });
