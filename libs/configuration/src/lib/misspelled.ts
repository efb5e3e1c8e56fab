import { distance } from 'fastest-levenshtein';
import { type DescribedProcess } from './process.js';

/** A set variable that no process reads, and the declared one that its name resembles. */
export interface Misspelled {
  /** The name that is set and that nothing reads. */
  readonly variable: string;
  /** The declared variable with a similar name. */
  readonly similar: string;
}

/**
 * Names up to this length may differ by one edit only, because short names such as `PORT` resemble other real names
 * (`HOST`).
 */
const SHORT_NAME = 6;

/**
 * Finds set variables that the process does not read and whose names resemble declared ones. The process should warn of
 * each, because the setting that the operator meant has no effect. Empty variables count as absent.
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

/**
 * True when one name may be a misspelling of the other: at most two letters are inserted, removed or changed (one in
 * names of at most six letters), or two letters are swapped. Case does not count.
 */
export function isNear(given: string, name: string): boolean {
  const [left, right] = [given.toUpperCase(), name.toUpperCase()];
  const edits = distance(left, right);
  // Two swapped letters are two edits that leave the same letters. They are accepted in short names too.
  return edits <= (name.length <= SHORT_NAME ? 1 : 2) || (edits === 2 && sorted(left) === sorted(right));
}

const sorted = (name: string): string => [...name].sort().join('');
