import { setTimeout as sleep } from 'node:timers/promises';

/** A result that cannot be stored is kept in hand this long, well inside the lease of a delivery; after that the attempt is repeated. */
export const STORE_FOR_MS = 20_000;
const RETRY_MS = 250;

/**
 * Stores a result, again and again while PostgreSQL is away: a result in hand is worth more than another attempt.
 * @param onFailure  told of each failure but the last, which rejects
 * @param isOver  whether to try no more: after 20 s unless told
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
