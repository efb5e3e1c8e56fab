/**
 * Maximum characters of a value in an explanation. One value may have a megabyte, and an expression may read it
 * hundreds of times.
 */
const MAX_LENGTH = 500;
const MORE = '…';

/**
 * A value as an explanation shows it. A text is cut after 500 characters. A list is cut when its elements together
 * reach 500 characters. A cut text or list ends with `…`.
 */
export function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, MAX_LENGTH);
  if (!Array.isArray(value)) return value;
  const shown: unknown[] = [];
  let left = MAX_LENGTH;
  for (const element of value as readonly unknown[]) {
    if (left <= 0) return [...shown, MORE];
    shown.push(typeof element === 'string' ? cutText(element, left) : element);
    left -= String(element).length + 1;
  }
  return shown;
}

/** Cuts a text, but never between the two halves of a surrogate pair. */
const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}${MORE}`;
