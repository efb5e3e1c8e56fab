import { type Span } from '../syntax/ast.js';
import { type SyntaxOptions } from '../syntax/collection.js';
import { DatapathError } from '../syntax/errors.js';
import { limitsOf } from '../syntax/limits.js';
import { type Token } from '../syntax/token.js';
import { scanToken, skipBlanks } from '../syntax/tokenizer.js';

/** The classes of tokens that an editor shows in different colours. */
export type TokenClass =
  | 'path'
  | 'keyword'
  | 'constant'
  | 'function'
  | 'number'
  | 'string'
  | 'comparison'
  | 'arithmetic'
  | 'parenthesis'
  | 'brace'
  | 'comma'
  | 'invalid';

/** A part of a text that an editor shows in one colour. Positions are in UTF-16 units. */
export interface ClassifiedToken extends Span {
  /** The class of the token, which decides on its colour. */
  readonly class: TokenClass;
}

/**
 * Returns the tokens of a text in order, as the parser reads them. The text may be incomplete or wrong. A part that is
 * not a token is `invalid`, and the text after it is read as usual. No token except an invalid one contains a line
 * break, so an editor can read each line alone.
 */
export function classify(text: string, options: SyntaxOptions): readonly ClassifiedToken[] {
  const syntax = { ...options, limits: limitsOf(options) };
  const tokens: ClassifiedToken[] = [];
  let at = skipBlanks(text, 0);
  while (at < text.length) {
    const token = classifyToken(text, at, syntax);
    tokens.push(token);
    at = skipBlanks(text, at + token.length);
  }
  return tokens;
}

function classifyToken(text: string, offset: number, syntax: Parameters<typeof scanToken>[2]): ClassifiedToken {
  try {
    const { kind, length } = scanToken(text, offset, syntax);
    return { class: CLASSES[kind], offset, length };
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    const [violation] = error.violations;
    EXTENT.lastIndex = offset;
    const extent = offset + (EXTENT.exec(text)?.[0].length ?? 0);
    return { class: 'invalid', offset, length: Math.max(extent, violation.offset + violation.length) - offset };
  }
}

/** Matches an invalid word or string as a whole. A string ends at the end of its line at the latest. */
const EXTENT = /[A-Za-z0-9_.:]+|"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?/y;

const CLASSES: Readonly<Record<Token['kind'], TokenClass>> = {
  path: 'path',
  AND: 'keyword',
  OR: 'keyword',
  NOT: 'keyword',
  IN: 'keyword',
  TRUE: 'constant',
  FALSE: 'constant',
  NULL: 'constant',
  DATE: 'function',
  DTDURATION: 'function',
  CHANGED: 'function',
  WAS: 'function',
  call: 'function',
  number: 'number',
  string: 'string',
  '==': 'comparison',
  '!=': 'comparison',
  '<': 'comparison',
  '<=': 'comparison',
  '>': 'comparison',
  '>=': 'comparison',
  '=~': 'comparison',
  '!~': 'comparison',
  '+': 'arithmetic',
  '-': 'arithmetic',
  '(': 'parenthesis',
  ')': 'parenthesis',
  '{': 'brace',
  '}': 'brace',
  ',': 'comma',
  end: 'invalid', // Needed for the type only: the scanner never returns the token `end`.
};
