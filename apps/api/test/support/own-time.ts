/** Length of a tick in ms. */
const TICK_MS = 10;

/**
 * Measures the time that this process spends on `work` or waits for it, without the time in which a busy machine holds
 * the process up: only ticks of its event loop count.
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

/** @returns the processor time in ms that `work` needs, on which other processes of the machine have little effect */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
