const EVERY_MS = 10_000;

/**
 * Limits a function to one call in ten seconds. Further calls do nothing. Use it when many connections report the same
 * unavailable server.
 */
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
