/**
 * Whether one value of a body comes before another: numbers by size, dates and moments by time. False when either is
 * absent, so that only what is given is compared.
 */
export function isBefore(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return typeof left === 'string' && typeof right === 'string' && Date.parse(left) < Date.parse(right);
}
