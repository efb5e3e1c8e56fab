import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * Polls until the condition is true.
 * @param what  description of the condition for the error
 * @throws {Error} with `what` after the timeout
 */
export async function waitUntil(
  what: string,
  timeoutMs: number,
  condition: () => boolean | Promise<boolean>,
  pollMs = POLL_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`this did not become true within ${timeoutMs} ms: ${what}`);
    await sleep(pollMs);
  }
}
