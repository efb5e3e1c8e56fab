import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Maximum time in ms to store the result of an attempt. This time ends well before the lease. A result that is not
 * stored by then is lost, and the attempt is repeated.
 */
export const STORE_FOR_MS = 20_000;
const RETRY_MS = 250;

/**
 * Repeats a write every 250 ms until it succeeds, because a lost result costs another attempt.
 * @param onFailure  called for each failure except the last, which rejects
 * @param isOver  returns true when no further try is allowed. By default, tries end 20 s after the first one
 */
export async function keepTrying<T>(
  store: () => Promise<T>,
  onFailure: (error: unknown) => void,
  isOver: () => boolean = after(STORE_FOR_MS),
): Promise<T> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (isOver()) throw error;
      onFailure(error);
      await sleep(RETRY_MS);
    }
  }
}

function after(ms: number): () => boolean {
  const deadline = performance.now() + ms;
  return () => performance.now() > deadline;
}
