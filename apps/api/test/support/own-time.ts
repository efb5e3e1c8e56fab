/** Length of a tick in ms. */
const TICK_MS = 10;

/**
 * Measures the time that this process spends on `work`, or waits for it. It counts only ticks of the event loop, so it
 * does not include the time in which a busy machine stops the process.
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
 * Measures the processor time that `work` needs. Other processes of the machine hardly affect it.
 * @returns milliseconds
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
