import { message } from '@ats/message';
import { describeCharacter } from './characters.js';
import { syntaxError, toWord } from './errors.js';
import { type SyntaxLimits } from './limits.js';
import { type StringToken } from './token.js';

const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** string : '"' char* '"' | "'" char* "'", with the escapes \\ \" \' \n \r \t \uXXXX and no raw line break */
export function scanString(source: string, offset: number, { stringLength }: SyntaxLimits): StringToken {
  const quote = source.charCodeAt(offset);
  let value = '';
  let runStart = offset + 1;
  let at = runStart;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code === quote) break;
    if (at >= source.length || code === LINE_FEED || code === CARRIAGE_RETURN) throw unterminated(source, offset, at);
    if (code !== BACKSLASH) {
      at++;
      continue;
    }
    const escape = readEscape(source, at);
    value += source.slice(runStart, at) + escape.value;
    at += escape.length;
    runStart = at;
  }
  value += source.slice(runStart, at);
  const length = at + 1 - offset;
  if (value.length > stringLength) {
    const violation = message`a string has at most ${stringLength} characters`;
    throw syntaxError(source, { code: 'limit_exceeded', message: violation, offset, length });
  }
  return { kind: 'string', offset, length, value };
}

/**
 * Prints a string literal in double quotes. Double quotes, backslashes and characters that are not visible are escaped.
 */
export function printString(value: string): string {
  let text = '"';
  for (const character of value) {
    text += printCharacter(character);
  }
  return text + '"';
}

function printCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '"' || character === '\\') return `\\${character}`;
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029;
  const isLoneSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isControl || isLoneSurrogate ? `\\u${code.toString(16).padStart(4, '0')}` : character;
}

function readEscape(source: string, offset: number): { value: string; length: number } {
  const letter = source[offset + 1] ?? '';
  const value = escapes.get(letter);
  if (value !== undefined) return { value, length: 2 };
  const digits = source.slice(offset + 2, offset + 6);
  if (letter === 'u' && /^[0-9A-Fa-f]{4}$/.test(digits)) {
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
  }
  const found = letter === '' ? 'end of text' : describeCharacter(source, offset + 1);
  const expected = ['\\\\', '\\"', "\\'", '\\n', '\\r', '\\t', '\\uXXXX'];
  const length = Math.min(2, source.length - offset);
  const violation = message`expected one of the escapes ${expected.join(' ')}`;
  throw syntaxError(source, { code: 'invalid_escape', message: violation, offset, length, expected, found });
}

function unterminated(source: string, offset: number, end: number): Error {
  const quote = source[offset] ?? '"';
  const found = end < source.length ? 'end of line' : 'end of text';
  const violation = message`expected a closing ${quote} but found ${toWord(found)}`;
  const hint = end < source.length ? message`write ${'\\n'} for a line break` : undefined;
  const detail = { offset, length: end - offset, expected: [quote], found, hint };
  return syntaxError(source, { code: 'unterminated_string', message: violation, ...detail });
}
