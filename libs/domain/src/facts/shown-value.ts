/**
 * Maximum number of characters of a value in an explanation. A value may have a megabyte, and an expression may read it
 * hundreds of times.
 */
const MAX_LENGTH = 500;
const MORE = '…';

/**
 * Shortens a value for an explanation: a text after 500 characters, and a list when its elements together reach 500
 * characters. A shortened text or list ends with `…`.
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

/** Shortens a text, but never between the two halves of a surrogate pair. */
const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}${MORE}`;
