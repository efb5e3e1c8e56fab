/** Interval of the timer in ms. */
const TICK_MS = 10;

/**
 * Measures the time that `work` takes, without the time in which a busy machine does not run this process. It counts
 * the ticks of a timer in this process.
 * @returns milliseconds
 */
export async function ownMsOf(work: () => Promise<unknown>): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), TICK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return ticks * TICK_MS;
}

/**
 * Measures the processor time of `work`. Other processes of the machine hardly change it.
 * @returns milliseconds
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
