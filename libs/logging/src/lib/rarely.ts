const EVERY_MS = 10_000;

/** For what many say at the same time, such as each connection to a server that is away: only the first of them in ten seconds is heard. */
export function rarely<Arguments extends readonly unknown[]>(
  say: (...given: Arguments) => void,
): (...given: Arguments) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (...given) => {
    const now = performance.now();
    if (now - saidAt < EVERY_MS) return;
    saidAt = now;
    say(...given);
  };
}
