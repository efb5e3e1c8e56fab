/** A place in a template with `{{`. */
export interface Braces {
  /** The literal text before the braces, without the backslash of an escape. */
  readonly before: string;
  /** True for `\{{`, which stands for two literal braces. `before` then ends with them. */
  readonly isEscaped: boolean;
  /** The position of `{{` in the template. */
  readonly open: number;
  /** Position of the matching `}}`. Undefined when there is no `}}` before the next `{{`. */
  readonly close: number | undefined;
  /** The position directly after `{{`. */
  readonly end: number;
}

/** Finds the next `{{` at or after a position. */
export function findNext(text: string, from: number): Braces | undefined {
  const open = text.indexOf('{{', from);
  if (open < 0) return undefined;
  const end = open + 2;
  const backslashes = countBackslashes(text, from, open);
  const before = text.slice(from, open - Math.min(1, backslashes));
  if (backslashes === 1) return { before: `${before}{{`, isEscaped: true, open, close: undefined, end };
  return { before, isEscaped: false, open, close: findClose(text, end), end };
}

/** Counts up to two backslashes before the braces, because `\{{` and `\\{{` have different meanings. */
function countBackslashes(text: string, from: number, open: number): 0 | 1 | 2 {
  if (open - 1 < from || text[open - 1] !== '\\') return 0;
  return open - 2 >= from && text[open - 2] === '\\' ? 2 : 1;
}

function findClose(text: string, from: number): number | undefined {
  const close = text.indexOf('}}', from);
  const another = text.indexOf('{{', from);
  return close < 0 || (another >= 0 && another < close) ? undefined : close;
}

/** Spaces in HTML. Editors put `&nbsp;` between words, and line breaks become `<br />`. */
const HTML_SPACE = ['&nbsp;', '<br />'];
const isSpace = (character: string | undefined): boolean => character !== undefined && character.trim() === '';

/** Trims white space from the text between two positions, and returns the position of the rest. */
export function trimmed(text: string, from: number, to: number): { readonly text: string; readonly offset: number } {
  let [start, end] = [from, to];
  for (let step = spaceAt(text, start, end); step > 0; step = spaceAt(text, start, end)) start += step;
  for (let step = spaceBefore(text, start, end); step > 0; step = spaceBefore(text, start, end)) end -= step;
  return { text: text.slice(start, end), offset: start };
}

function spaceAt(text: string, start: number, end: number): number {
  if (start >= end) return 0;
  if (isSpace(text[start])) return 1;
  return HTML_SPACE.find((space) => start + space.length <= end && text.startsWith(space, start))?.length ?? 0;
}

function spaceBefore(text: string, start: number, end: number): number {
  if (start >= end) return 0;
  if (isSpace(text[end - 1])) return 1;
  return (
    HTML_SPACE.find((space) => end - space.length >= start && text.startsWith(space, end - space.length))?.length ?? 0
  );
}
