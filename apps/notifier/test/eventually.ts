/** Repeats an expectation until it passes. After a timeout, fails with the last error. */
export async function eventually<T>(expectation: () => T | Promise<T>, withinMs = 100_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }
}
