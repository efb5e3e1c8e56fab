const LETTER = 1;
const DIGIT = 2;
const classes = new Uint8Array(128);
for (let code = 0x41; code <= 0x5a; code++) classes[code] = classes[code + 0x20] = LETTER;
for (let code = 0x30; code <= 0x39; code++) classes[code] = DIGIT;
classes[0x5f] = LETTER;

/**
 * True for an ASCII letter or underscore. NaN, which `charCodeAt` returns past the end of a text, is neither letter nor
 * digit.
 */
export const isLetter = (code: number): boolean => code < 128 && classes[code] === LETTER;

export const isDigit = (code: number): boolean => code < 128 && classes[code] === DIGIT;

/** True for a character of a name: an ASCII letter, digit or underscore. */
export const isWordCharacter = (code: number): boolean => code < 128 && classes[code] !== 0;

/** Describes a character for a message: in quotes when it is visible ASCII, else as `U+…`. */
export function describeCharacter(source: string, offset: number): string {
  const code = source.codePointAt(offset) ?? 0;
  const visible = code > 0x20 && code < 0x7f;
  return visible ? `"${String.fromCodePoint(code)}"` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Compares texts by code points, as UTF-8 orders them. The first two different UTF-16 units decide. A surrogate counts
 * as greater than any other unit, because its code point is above all others.
 */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const difference = rankOf(left.charCodeAt(at)) - rankOf(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const rankOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit);
