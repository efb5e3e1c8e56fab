import { type Sample } from './gauges.js';
import { type Instruments } from './instruments.js';

export interface ReadingOptions<T> {
  readonly read: () => Promise<T>;
  /** Milliseconds, from any beginning; never goes back. */
  readonly now?: () => number;
}

/** However often somebody looks, a server is asked this seldom. */
const FRESH_MS = 2_000;
/** So long whoever looks waits for a server: a scrape answers within a second, whatever hangs. */
const TIMEOUT_MS = 800;
/** So long what was read last is worth telling when nothing newer is to be had. */
const KEPT_MS = 30_000;

/** Something that another server knows, for many who want to know it: asked once for all of them, and told in bounded time. */
export class Reading<T> {
  /** Whether the last answer came, and in time. */
  isUp = true;
  private last: { readonly value: T; readonly at: number } | undefined;
  private running: Promise<void> | undefined;
  private readonly now: () => number;

  constructor(private readonly options: ReadingOptions<T>) {
    this.now = options.now ?? (() => performance.now());
  }

  /** What is known, at most half a minute old; null when nothing is. Never rejects. */
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
      // Told by `isUp`; the server that is away is in the log of whoever needs it.
    } finally {
      this.running = undefined;
    }
  }

  private ageMs(): number {
    return this.last ? this.now() - this.last.at : Number.POSITIVE_INFINITY;
  }
}

/** Resolves when the work has ended or the time is over, whichever comes first. */
async function inTime(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}

/** What is known as samples; none when nothing is. */
export async function readMany<T>(
  reading: Reading<T>,
  toSamples: (value: T) => readonly Sample[],
): Promise<readonly Sample[]> {
  const value = await reading.get();
  return value === null ? [] : toSamples(value);
}

/** The same of a single number. */
export const readOne = <T>(reading: Reading<T>, pick: (value: T) => number): Promise<readonly Sample[]> =>
  readMany(reading, (value) => [{ value: pick(value) }]);

/** Says which readings came in time. To be added last, so that everybody else has asked before. */
export function addReadingGauge(instruments: Instruments, readings: Readonly<Record<string, Reading<unknown>>>): void {
  instruments.seen({
    name: 'reading_up',
    help: 'Whether what the servers know was to be had in time',
    labelNames: ['reading'],
    read: async () => {
      const named = Object.entries(readings);
      await Promise.all(named.map(([, reading]) => reading.get()));
      return named.map(([reading, { isUp }]) => ({ labels: { reading }, value: Number(isUp) }));
    },
  });
}
