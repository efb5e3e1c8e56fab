import { distance } from 'fastest-levenshtein';
import { type DescribedProcess } from './process.js';

/** A set variable that the process does not read, with the declared variable that it resembles. */
export interface Misspelled {
  /** The name of the set variable. */
  readonly variable: string;
  /** The declared variable with a similar name. */
  readonly similar: string;
}

/**
 * Names up to this length may differ by only one edit, because short names such as `PORT` resemble other real names,
 * such as `HOST`.
 */
const SHORT_NAME = 6;

/**
 * Finds set variables that the process does not read and whose names resemble declared ones. The process should warn
 * about each, because the operator's setting has no effect. Empty variables count as absent.
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
 * True when one name may be a misspelling of the other. They may differ by two letters that are inserted, removed or
 * changed, or by one letter in names of at most six letters. Two letters may also be swapped. Case does not matter.
 */
export function isNear(given: string, name: string): boolean {
  const [left, right] = [given.toUpperCase(), name.toUpperCase()];
  const edits = distance(left, right);
  // Two swapped letters count as two edits, but both names have the same letters. The swap is accepted even in short
  // names.
  return edits <= (name.length <= SHORT_NAME ? 1 : 2) || (edits === 2 && sorted(left) === sorted(right));
}

const sorted = (name: string): string => [...name].sort().join('');
