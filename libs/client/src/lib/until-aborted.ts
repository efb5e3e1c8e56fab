/**
 * Waits for work until `signal` is aborted. The work itself continues.
 * @throws the reason of the signal
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    const end =
      <V>(settle: (value: V) => void) =>
      (value: V): void => {
        signal.removeEventListener('abort', stop);
        settle(value);
      };
    work.then(end(resolve), end(reject));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}
