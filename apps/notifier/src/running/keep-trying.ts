import { setTimeout as sleep } from 'node:timers/promises';

/** A result that cannot be stored is kept in hand this long, well inside every lease; after that the attempt is repeated. */
const STORE_FOR_MS = 20_000;
const RETRY_MS = 250;

/**
 * Stores a result, again and again while PostgreSQL is away: a result in hand is worth more than another attempt.
 * @param onFailure  told of each failure but the last, which rejects
 */
export async function keepTrying<T>(store: () => Promise<T>, onFailure: (error: unknown) => void): Promise<T> {
  const deadline = performance.now() + STORE_FOR_MS;
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      onFailure(error);
      await sleep(RETRY_MS);
    }
  }
}
