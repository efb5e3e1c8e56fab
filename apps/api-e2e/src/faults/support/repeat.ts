import { setTimeout as sleep } from 'node:timers/promises';

/** Does something every so often, the first time after one pause, until `work` has come to its end. @returns its result */
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

/** From `least` up to `most`, each as likely. */
export const between = (least: number, most: number): number => least + Math.random() * (most - least);

/** Four at a time: whoever sends the API hundreds of requests at once on a busy machine is told to come back later. */
export async function fewAtATime<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += 4) {
    results.push(...(await Promise.all(items.slice(first, first + 4).map((item, index) => work(item, first + index)))));
  }
  return results;
}

export const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
