/** Characters of a value that are shown: an expression may look at a megabyte in hundreds of places. */
const MAX_LENGTH = 500;
const MORE = '…';

/** A value as an explanation shows it: a long text is cut, and a list after as many elements as make a long text; both then end with `…`. */
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

/** Never between the two halves of a character. */
const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}${MORE}`;
