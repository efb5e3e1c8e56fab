import { expect } from '@jest/globals';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { eventually } from './eventually.js';
import { parseMetrics } from './metrics-text.js';

/** Maps a metric, by name and labels, to its expected value. A function checks a value that varies. */
type Expected = Readonly<Record<string, number | undefined | ((value: number) => void)>>;

interface AppMetrics {
  readonly scrape: () => Promise<ReadonlyMap<string, number>>;
  /** Waits until the metrics have the expected values. */
  readonly moves: (expected: Expected) => Promise<void>;
  readonly warnings: () => Promise<readonly { readonly code: string; readonly info: string }[]>;
  /** Waits until `/health/ready` has exactly these warnings. */
  readonly warns: (...codes: readonly string[]) => Promise<void>;
}

/** Reads the metrics and the warnings of the notifier that `app` returns. */
export function metricsOf(app: () => NestFastifyApplication): AppMetrics {
  async function scrape(): Promise<ReadonlyMap<string, number>> {
    const answer = await app().getHttpAdapter().getInstance().inject('/metrics');
    expect(answer.statusCode).toBe(200);
    return parseMetrics(answer.payload);
  }

  const moves = (expected: Expected): Promise<void> =>
    eventually(async () => {
      const metrics = await scrape();
      for (const [name, value] of Object.entries(expected)) {
        if (typeof value === 'function') value(metrics.get(name) ?? Number.NaN);
        else expect([name, metrics.get(name)]).toEqual([name, value]);
      }
    });

  const warnings = async (): Promise<readonly { readonly code: string; readonly info: string }[]> => {
    const answer = await app().getHttpAdapter().getInstance().inject('/health/ready');
    return answer.json<{ warnings: readonly { code: string; info: string }[] }>().warnings;
  };
  const warns = (...codes: readonly string[]): Promise<void> =>
    eventually(async () => expect((await warnings()).map(({ code }) => code)).toEqual(codes));

  return { scrape, moves, warnings, warns };
}

export const atLeast =
  (least: number) =>
  (value: number): void =>
    expect(value).toBeGreaterThanOrEqual(least);

const TICK_MS = 10;

/**
 * Expects that `work` takes less than `limitMs`. The time is counted in ticks of this process, which also runs the
 * notifier. So it does not include the time in which a busy machine runs other processes.
 */
export async function inTime(limitMs: number, work: () => Promise<unknown>): Promise<void> {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), TICK_MS);
  await work().finally(() => clearInterval(timer));
  expect(ticks * TICK_MS).toBeLessThan(limitMs);
}
