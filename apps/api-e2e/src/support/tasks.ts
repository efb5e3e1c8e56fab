import { type Page } from 'playwright-core';

const LONG_MS = 50;
/** Marks the process of the page in the recorded events. */
const MARK = 'tasks-of-this-page';

export const FRAMES = 300;
/** A script that scrolls the table of a page by five rows in each frame. */
export const SCROLL = `(async () => {
  const table = document.querySelector('ats-collection-table .table');
  for (let frame = 0; frame < ${FRAMES}; frame += 1) {
    table.scrollTop += 200;
    await new Promise(requestAnimationFrame);
  }
})()`;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ph: string;
  /** Duration, and processor time of the thread, in microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Records the tasks of the page's main thread while `use` runs. The duration of a task includes the time in which other
 * processes run; its processor time does not.
 */
export async function recordTasks(page: Page, use: () => Promise<void>): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing'] },
  });
  await page.evaluate((name) => performance.mark(name), MARK);
  await use();
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  // The mark identifies the process of this page. Chromium also has pages of its own, whose main threads have the same
  // name.
  const mark = events.find(({ name }) => name === MARK);
  const isMain = ({ name, pid, args }: TraceEvent): boolean =>
    name === 'thread_name' && pid === mark?.pid && args?.name === 'CrRendererMain';
  const threads = events.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`);
  const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && threads.includes(`${pid} ${tid}`));
  const figures = (times: readonly number[]): string => {
    const ms = times.map((time) => time / 1_000).sort((one, other) => other - one);
    return `${ms.filter((time) => time > LONG_MS).length} over ${LONG_MS} ms, longest ${(ms[0] ?? 0).toFixed(1)} ms`;
  };
  return (
    `${tasks.length} tasks; processor time: ${figures(tasks.map(({ tdur = 0 }) => tdur))}; ` +
    `duration: ${figures(tasks.map(({ dur = 0 }) => dur))}`
  );
}
