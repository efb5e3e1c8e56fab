import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ConnectionError } from '@ats/client';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * True for an error that is likely to pass: the service restarts, the network is unavailable, or a limit is exceeded.
 */
const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));

/**
 * Repeats work until the service can be reached.
 * @param onLoss  receives the first error of an outage, and undefined at the end of the outage
 * @throws other errors of the work, and the reason of the signal
 */
export async function keepTrying<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onLoss: (error: Error | undefined) => void,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const result = await work();
      if (attempt > 0) onLoss(undefined);
      return result;
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      if (attempt === 0) onLoss(error as Error);
      const ms = Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS);
      await pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
