/** Waits until the condition holds. Throws after 100 seconds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 100_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('the condition did not hold within 100 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
