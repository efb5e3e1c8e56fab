import { distance } from 'fastest-levenshtein';
import { type Message, message } from '@ats/message';

const MAX_EDITS = 2;
const SHORT_NAME = 3;
/** Maximum length of a text that is compared. Longer texts are shortened, so that hostile texts cost little. */
const COMPARED_LENGTH = 64;
/** Maximum length of a list whose values a hint names completely. */
const SHORT_LIST = 20;
const NEAREST = 3;

/**
 * Finds the candidate that is most similar to a mistyped name. They may differ by at most two added, missing or changed
 * letters, and by one in names of up to three letters. Two swapped letters count as one change. A name that differs
 * only in case is always similar.
 * @returns the most similar candidate, or the first of several that are equally similar; undefined when none is
 *   similar
 */
export function findSimilar(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestEdits = (name.length <= SHORT_NAME ? 1 : MAX_EDITS) + 1;
  const folded = name.toLowerCase();
  for (const candidate of candidates) {
    if (Math.abs(name.length - candidate.length) > MAX_EDITS) continue;
    const edits = folded === candidate.toLowerCase() ? 0.5 : editsBetween(name, candidate);
    if (edits < bestEdits) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

/** Creates the hint `did you mean "x"?`. Returns undefined when no candidate is similar. */
export function suggestion(name: string, candidates: Iterable<string>): Message | undefined {
  const similar = findSimilar(name, candidates);
  return similar === undefined ? undefined : message`did you mean "${similar}"?`;
}

/** The texts of a violation: a value is not in a closed list. */
export interface UnlistedValue {
  /** A text for people that says what is wrong. */
  readonly message: Message;
  /** A suggestion of what to write instead. */
  readonly hint: Message;
  /** The values that the hint names. */
  readonly expected: readonly string[];
}

/**
 * Describes a value that is not in a closed list. The hint names all values of a short list, and the nearest values of
 * a long one.
 * @param values  the list; not empty
 * @param of      the name of the attribute, as the client knows it
 */
export function unlistedValue(value: string, values: readonly string[], of: string): UnlistedValue {
  const violation = message`"${shortened(value)}" is not a value of ${of}`;
  const similar = findSimilar(value, values);
  if (values.length > SHORT_LIST) {
    const nearest = nearestValues(value, values);
    return { message: violation, hint: message`the nearest values are ${nearest}`, expected: nearest };
  }
  const hint =
    similar === undefined
      ? message`the values are ${values}`
      : message`did you mean "${similar}"? The values are ${values}`;
  return { message: violation, hint, expected: values };
}

/** Returns the values that are most similar to a text, the most similar one first. */
export function nearestValues(text: string, values: readonly string[]): readonly string[] {
  const folded = shortened(text).toLowerCase();
  const ranked = values.map((value) => ({ value, rank: rankOf(folded, value.toLowerCase()) }));
  return ranked
    .sort((left, right) => left.rank - right.rank)
    .slice(0, NEAREST)
    .map(({ value }) => value);
}

/**
 * Returns a number that is lower for a nearer value. Texts that contain each other are nearer than their number of
 * edits says: `review` is near to `in_review`.
 */
function rankOf(text: string, value: string): number {
  const edits = editsBetween(text, value);
  const isLong = Math.min(text.length, value.length) >= SHORT_NAME;
  const isPart = isLong && (value.includes(text) || text.includes(value));
  return isPart ? Math.min(edits, MAX_EDITS) : edits;
}

function editsBetween(left: string, right: string): number {
  const edits = distance(left, right);
  return edits === 2 && sorted(left) === sorted(right) ? 1 : edits;
}

const sorted = (text: string): string => [...text].sort().join('');

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * COMPARED_LENGTH)];
  return characters.length > COMPARED_LENGTH ? `${characters.slice(0, COMPARED_LENGTH).join('')}…` : text;
}
