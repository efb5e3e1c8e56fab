import { exitUntilStarted } from '@ats/nest-app/early-exit';

/**
 * `Draining` closes every connection before this deadline. It covers servers that hang and queries whose results nobody
 * waits for.
 */
const DEADLINE_MS = 29_000;

const onStarted = exitUntilStarted();
const { start } = await import('./start.js');
await start();
onStarted({ deadlineMs: DEADLINE_MS });
