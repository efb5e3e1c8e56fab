import { type Sample } from './instruments.js';
import { type Instruments } from './instruments.js';

/** Options of a `Reading`. */
export interface ReadingOptions<T> {
  /** Requests the value from the other server. */
  readonly read: () => Promise<T>;
  /** A clock in ms that never goes back. Defaults to `performance.now`. */
  readonly now?: () => number;
}

/** Time in ms within which a value is read at most once. */
const FRESH_MS = 2_000;
/** Maximum wait in ms for a server. With this limit, a scrape takes less than a second even when the server hangs. */
const TIMEOUT_MS = 800;
/** Time in ms for which the last value is reported when no newer value can be read. */
const KEPT_MS = 30_000;

/**
 * A value that is read from another server. Concurrent readers share one request. No reader waits longer than 0.8 s.
 */
export class Reading<T> {
  /** True when the last call of `get` had a value that was read less than 2 s before. */
  isUp = true;
  private last: { readonly value: T; readonly at: number } | undefined;
  private running: Promise<void> | undefined;
  private readonly now: () => number;

  constructor(private readonly options: ReadingOptions<T>) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Returns the value, which is at most 30 s old. Null when it is not known. Never rejects. */
  async get(): Promise<T | null> {
    if (this.ageMs() >= FRESH_MS) {
      this.running ??= this.run();
      await inTime(this.running, TIMEOUT_MS);
    }
    this.isUp = this.ageMs() < FRESH_MS;
    return this.last && this.ageMs() < KEPT_MS ? this.last.value : null;
  }

  private async run(): Promise<void> {
    try {
      const value = await this.options.read();
      this.last = { value, at: this.now() };
    } catch {
      // `isUp` shows the failure. The failure is not logged here, because the code that uses the server logs that the
      // server is unavailable.
    } finally {
      this.running = undefined;
    }
  }

  private ageMs(): number {
    return this.last ? this.now() - this.last.at : Number.POSITIVE_INFINITY;
  }
}

/** Resolves when `work` has ended, or after `timeoutMs`. */
async function inTime(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}

/** Makes samples of a value. Returns no samples while the value is not known. */
export async function readMany<T>(
  reading: Reading<T>,
  toSamples: (value: T) => readonly Sample[],
): Promise<readonly Sample[]> {
  const value = await reading.get();
  return value === null ? [] : toSamples(value);
}

/** Makes one sample of a value. Returns no sample while the value is not known. */
export const readOne = <T>(reading: Reading<T>, pick: (value: T) => number): Promise<readonly Sample[]> =>
  readMany(reading, (value) => [{ value: pick(value) }]);

/**
 * Adds the metric `reading_up`. It is 1 for each reading whose last request was answered in time. Add it after the
 * metrics that use these readings.
 */
export function addReadingGauge(instruments: Instruments, readings: Readonly<Record<string, Reading<unknown>>>): void {
  instruments.observedGauge({
    name: 'reading_up',
    help: '1 when the last reading of a server came in time, 0 otherwise',
    labelNames: ['reading'],
    read: async () => {
      const named = Object.entries(readings);
      await Promise.all(named.map(([, reading]) => reading.get()));
      return named.map(([reading, { isUp }]) => ({ labels: { reading }, value: Number(isUp) }));
    },
  });
}
