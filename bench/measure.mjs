/**
 * Measures several implementations ("rivals") of the same work in one process. Their rounds alternate, so that load of
 * the machine affects all in the same way. Ratios are comparable between machines, absolute figures are not.
 */

/**
 * @typedef {object} Rival
 * @property {string} name
 * @property {(count: number) => unknown} repeat does the work `count` times
 */

/**
 * Measures rival implementations of the same work. They take turns: each runs once in every round.
 * @param {Rival[]} rivals
 * @param {{ rounds?: number, roundMs?: number }} [options]
 * @returns {Map<string, number>} median operations per second by name
 */
export function measure(rivals, { rounds = 7, roundMs = 80 } = {}) {
  const contenders = rivals.map((rival) => ({ ...rival, count: calibrate(rival, roundMs), rates: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const { repeat, count, rates } of contenders) rates.push((count / elapsedMs(() => repeat(count))) * 1000);
  }
  return new Map(contenders.map(({ name, rates }) => [name, median(rates)]));
}

/** Returns the number of repetitions that fit into one round after a warm-up. */
function calibrate({ repeat }, roundMs) {
  let count = 1;
  for (;;) {
    const ms = elapsedMs(() => repeat(count));
    if (ms >= roundMs) break;
    count = ms < 1 ? count * 4 : Math.ceil(count * Math.min(4, (roundMs / ms) * 1.2));
  }
  repeat(count);
  return Math.max(1, Math.round((count * roundMs) / elapsedMs(() => repeat(count))));
}

/** Measures the CPU time of this thread in ms. It excludes the time in which other processes have the processor. */
export function elapsedMs(work) {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Returns a quantile of the values.
 * @param {readonly number[]} values
 * @param {number} share 0.5 for the median; the result is interpolated between two values
 */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place % 1);
}

export const median = (values) => quantile(values, 0.5);
export const sum = (values) => values.reduce((total, value) => total + value, 0);
export const mean = (values) => sum(values) / values.length;

/** Measures the wall time of asynchronous work in ms. */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Prints a target and whether it was met. A missed target sets exit code 1. @returns {boolean} `isMet` */
export function judge(promise, isMet, figure) {
  console.log(`${isMet ? 'met' : 'MISSED'}: ${promise} (${figure})`);
  if (!isMet) process.exitCode = 1;
  return isMet;
}

/** Formats a rate with a unit: 12345678 gives "12.3 M". */
export function perSecond(rate) {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(rate >= 1e8 ? 0 : 1)} M`;
  return rate >= 1e4 ? `${(rate / 1e3).toFixed(0)} k` : rate.toFixed(0);
}

/**
 * Prints a table in Markdown.
 * @param {string[][]} rows the first row contains the headings
 */
export function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const [head, ...body] = rows.map(line);
  console.log(
    [
      head,
      `|${widths.map((width, column) => '-'.repeat(width + 1) + (column === 0 ? '-' : ':')).join('|')}|`,
      ...body,
    ].join('\n'),
  );
}

/**
 * Creates a separate loop for each rival. A shared loop would have one call site, and the compiler would inline the
 * first rival there.
 * @param {(subject: unknown) => unknown} test
 * @param {unknown[]} subjects the length must be a power of two
 * @returns {(count: number) => number} how often `test` returned true
 */
export function loopOver(test, subjects) {
  const body = `return (count) => {
    let yes = 0;
    for (let index = 0; index < count; index++) if (test(subjects[index & ${subjects.length - 1}])) yes++;
    return yes;
  };`;
  return new Function('test', 'subjects', body)(test, subjects);
}
