import { type Message, message } from '@ats/message';

const MAX_DISTANCE = 2;
const SHORT_NAME = 3;

/**
 * Finds the candidate that is most similar to a mistyped name. At most two letters may be added, missing, changed or
 * swapped, and only one in names of up to three letters. A difference in case alone is always similar.
 * @returns the most similar candidate, or the first of several equally similar ones; undefined when none is similar
 */
export function findSimilar(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = (name.length <= SHORT_NAME ? 1 : MAX_DISTANCE) + 1;
  const folded = name.toLowerCase();
  for (const candidate of candidates) {
    const distance = folded === candidate.toLowerCase() ? 0.5 : editDistance(name, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Creates the hint `did you mean "x"?`. Returns undefined when no candidate is similar. */
export function suggestion(name: string, candidates: Iterable<string>): Message | undefined {
  const similar = findSimilar(name, candidates);
  return similar === undefined ? undefined : message`did you mean "${similar}"?`;
}

/** Optimal string alignment distance. Returns `limit` when the distance is `limit` or more. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      current.push(cellOf(left, right, { row, column, current, previous, beforePrevious }));
    }
    if (Math.min(...current) >= limit) return limit;
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? limit;
}

interface Cell {
  readonly row: number;
  readonly column: number;
  readonly current: readonly number[];
  readonly previous: readonly number[];
  readonly beforePrevious: readonly number[];
}

function cellOf(left: string, right: string, { row, column, current, previous, beforePrevious }: Cell): number {
  const at = (cells: readonly number[], index: number): number => cells[index] ?? Infinity;
  const changed = left[row - 1] === right[column - 1] ? 0 : 1;
  const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
  return Math.min(
    at(previous, column) + 1,
    at(current, column - 1) + 1,
    at(previous, column - 1) + changed,
    swapped ? at(beforePrevious, column - 2) + 1 : Infinity,
  );
}
