import { type DescribedProcess } from './process.js';

/** A variable that nothing reads, and the one that it looks like. */
export interface Misspelled {
  readonly variable: string;
  readonly similar: string;
}

/** Names as short as `PORT` have too many neighbours that mean something else (`HOST`). */
const SHORT_NAME = 6;

/**
 * Variables that look like misspelled ones of this process: worth a warning, for what they should change stays as it is.
 * An empty one counts as absent.
 */
export function findMisspelled(
  { variables }: DescribedProcess,
  environment: Readonly<Record<string, string | undefined>>,
): readonly Misspelled[] {
  const known = Object.keys(variables);
  const unknown = Object.keys(environment).filter((name) => environment[name] && !Object.hasOwn(variables, name));
  return unknown.flatMap((variable) => {
    const similar = known.find((name) => isNear(variable, name));
    return similar === undefined ? [] : [{ variable, similar }];
  });
}

/** Whether one name may be a slip in writing the other. */
export function isNear(given: string, name: string): boolean {
  const allowed = name.length <= SHORT_NAME ? 1 : 2;
  if (Math.abs(given.length - name.length) > allowed) return false;
  return distance(given.toUpperCase(), name.toUpperCase()) <= allowed;
}

/** Letters to insert, take out, change, or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (next[j - 1] ?? 0) + 1,
        (row[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
