import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an action until `work` has ended. Pauses before each call of the action. @returns the result of `work` */
export async function repeatUntil<T>(
  work: Promise<T>,
  everyMs: number | (() => number),
  action: () => Promise<unknown>,
): Promise<T> {
  const ended = work.then(
    () => true,
    () => true,
  );
  for (;;) {
    const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs();
    const controller = new AbortController();
    const pause = sleep(pauseMs, false, { signal: controller.signal }).catch(() => true);
    if (await Promise.race([ended, pause])) {
      controller.abort();
      return work;
    }
    await action();
  }
}

/** Returns a random number between `least` and `most`. */
export const randomBetween = (least: number, most: number): number => least + Math.random() * (most - least);

/**
 * Runs `work` for the items, four at a time. On a busy machine, the API would answer 503 to hundreds of concurrent
 * requests.
 */
export async function inBatches<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += 4) {
    results.push(...(await Promise.all(items.slice(first, first + 4).map((item, index) => work(item, first + index)))));
  }
  return results;
}

/** Returns the numbers from 0 to below `count`. */
export const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
