import { message } from '@ats/message';
import { describeCharacter, isDigit, isLetter, isWordCharacter } from './characters.js';
import { type FunctionSyntax, type SyntaxOptions } from './collection.js';
import { type KnownSyntax } from './datapath.js';
import { scanKnownDatapath } from './known-datapaths.js';
import { syntaxError } from './errors.js';
import { limitsOf } from './limits.js';
import { scanString } from './string-literal.js';
import { type Keyword, KEYWORDS, type Punctuation, type Token } from './token.js';

const keywords: ReadonlyMap<string, Keyword> = new Map(KEYWORDS.map((keyword) => [keyword, keyword]));
const longestKeyword = Math.max(...KEYWORDS.map((keyword) => keyword.length));

/**
 * Each table maps the code of a character to the symbol that begins with it: symbols of one character, symbols that end
 * with `=`, and symbols that end with `~`.
 */
const singles = byFirstCharacter(['<', '>', '+', '-', '(', ')', '{', '}', ',']);
const beforeEquals = byFirstCharacter(['==', '!=', '<=', '>=']);
const beforeTilde = byFirstCharacter(['=~', '!~']);

function byFirstCharacter(symbols: readonly Punctuation[]): readonly (Punctuation | undefined)[] {
  const table = new Array<Punctuation | undefined>(128).fill(undefined);
  for (const symbol of symbols) table[symbol.charCodeAt(0)] = symbol;
  return table;
}

/**
 * Operators of other languages, each with the operator to use instead. Longer ones come first. The second text is
 * undefined when this language has no equivalent.
 */
const foreignOperators: readonly (readonly [string, string | undefined])[] = [
  ['===', '=='],
  ['!==', '!='],
  ['&&', 'AND'],
  ['||', 'OR'],
  ['<>', '!='],
  ['=<', '<='],
  ['=>', '>='],
  ['~=', '=~'],
  ['=', '=='],
  ['!', 'NOT'],
  ['&', 'AND'],
  ['|', 'OR'],
  ['~', '=~'],
  ['[', undefined],
];

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const EXCLAMATION = 0x21;
const EQUALS = 0x3d;
const TILDE = 0x7e;
const LESS = 0x3c;
const GREATER = 0x3e;
const POINT = 0x2e;
const PARENTHESIS = 0x28;

/**
 * Splits a text into tokens. The last token is `end`. The parser checks the grammar.
 * @throws {DatapathSyntaxError} for an unknown character or a malformed number, string or datapath
 */
export function tokenize(source: string, options: SyntaxOptions): Token[] {
  const limits = limitsOf(options);
  if (source.length > limits.textLength) {
    const violation = message`an expression has at most ${limits.textLength} characters`;
    throw syntaxError(source, { code: 'limit_exceeded', message: violation, offset: limits.textLength, length: 1 });
  }
  const syntax = { ...options, limits };
  const tokens: Token[] = [];
  let at = skipBlanks(source, 0);
  while (at < source.length) {
    const token = scanToken(source, at, syntax);
    tokens.push(token);
    at = skipBlanks(source, at + token.length);
  }
  tokens.push({ kind: 'end', offset: source.length, length: 0 });
  return tokens;
}

/** Returns the offset of the next token, or the length of the text. */
export function skipBlanks(source: string, from: number): number {
  let at = from;
  while (isBlank(source.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/**
 * Reads the token at an offset, where no blank may be.
 * @throws {DatapathSyntaxError} when no token begins there
 */
export function scanToken(source: string, offset: number, syntax: KnownSyntax): Token {
  const code = source.charCodeAt(offset);
  if (isLetter(code)) return scanWord(source, offset, syntax);
  if (isDigit(code)) return scanNumber(source, offset);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return scanString(source, offset, syntax.limits);
  return scanSymbol(source, offset);
}

/** Reads a keyword, the name of a function or a datapath. A datapath is a single token and has no blanks. */
function scanWord(source: string, offset: number, syntax: KnownSyntax): Token {
  let end = offset + 1;
  while (isWordCharacter(source.charCodeAt(end))) end++;
  if (source.charCodeAt(end) !== POINT && end - offset <= longestKeyword) {
    const word = source.slice(offset, end);
    const keyword = keywords.get(word) ?? keywords.get(word.toUpperCase());
    if (keyword !== undefined) return { kind: keyword, offset, length: end - offset };
  }
  if (syntax.functions !== undefined && source.charCodeAt(skipBlanks(source, end)) === PARENTHESIS) {
    const called = functionNamed(source.slice(offset, end), syntax.functions);
    if (called !== undefined) return { kind: 'call', offset, length: end - offset, called };
  }
  const path = scanKnownDatapath(source, offset, syntax);
  return { kind: 'path', offset, length: path.text.length, path };
}

/** Finds a function of the host by its name in upper or lower case. */
function functionNamed(word: string, functions: readonly FunctionSyntax[]): FunctionSyntax | undefined {
  const name = word.toUpperCase();
  return functions.find((one) => one.name === name);
}

/** number : digit+ ( "." digit+ )? */
function scanNumber(source: string, offset: number): Token {
  let end = skipDigits(source, offset);
  const isInteger = source.charCodeAt(end) !== POINT;
  if (!isInteger) end = skipDigits(source, end + 1);
  const endsOnPoint = source.charCodeAt(end - 1) === POINT;
  if (endsOnPoint || source.charCodeAt(end) === POINT || isWordCharacter(source.charCodeAt(end))) {
    while (isWordCharacter(source.charCodeAt(end)) || source[end] === '.') end++;
    const found = source.slice(offset, end);
    const violation = message`expected a number such as ${'42'} or ${'4.2'} but found "${found}"`;
    throw syntaxError(source, {
      code: 'invalid_number',
      message: violation,
      offset,
      length: end - offset,
      expected: ['number'],
      found,
    });
  }
  const length = end - offset;
  const value = Number(source.slice(offset, end));
  if (value > Number.MAX_SAFE_INTEGER) {
    const violation = message`a number is at most ${Number.MAX_SAFE_INTEGER}`;
    throw syntaxError(source, {
      code: 'number_too_large',
      message: violation,
      offset,
      length,
      expected: ['number'],
      found: source.slice(offset, end),
    });
  }
  return { kind: 'number', offset, length, value, isInteger };
}

function skipDigits(source: string, from: number): number {
  let at = from;
  while (isDigit(source.charCodeAt(at))) at++;
  return at;
}

function scanSymbol(source: string, offset: number): Token {
  const code = source.charCodeAt(offset);
  const next = source.charCodeAt(offset + 1);
  const table = next === EQUALS ? beforeEquals : next === TILDE ? beforeTilde : undefined;
  const double = table?.[code];
  const isTooLong =
    next === EQUALS && (code === EQUALS || code === EXCLAMATION) && source.charCodeAt(offset + 2) === EQUALS;
  if (double !== undefined && !isTooLong) return { kind: double, offset, length: 2 };
  const single = code === LESS && next === GREATER ? undefined : singles[code];
  if (single !== undefined) return { kind: single, offset, length: 1 };
  return throwForeignOperator(source, offset);
}

function throwForeignOperator(source: string, offset: number): never {
  const foreign = foreignOperators.find(([text]) => source.startsWith(text, offset));
  if (foreign !== undefined) {
    const [found, instead] = foreign;
    const hint =
      instead === undefined
        ? message`conditions on one element of a list are not supported`
        : message`write ${instead}`;
    throw syntaxError(source, {
      code: 'wrong_operator',
      message: message`"${found}" is not an operator`,
      offset,
      length: found.length,
      found,
      hint,
    });
  }
  const found = describeCharacter(source, offset);
  const length = (source.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  throw syntaxError(source, {
    code: 'unexpected_character',
    message: message`unexpected character ${found}`,
    offset,
    length,
    found,
  });
}
