import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Asks again and again until it is so. @throws {Error} naming what did not happen in time */
export async function waitUntil(
  what: string,
  timeoutMs: number,
  isSo: () => boolean | Promise<boolean>,
  pollMs = POLL_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await sleep(pollMs);
  }
}
