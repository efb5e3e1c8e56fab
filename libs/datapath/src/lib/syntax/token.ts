import { type Span } from './ast.js';
import { type FunctionSyntax } from './collection.js';
import { type Datapath } from './datapath.js';

/** Reserved words, in upper or lower case. After a dot they are normal names. */
export const KEYWORDS = [
  'AND',
  'OR',
  'NOT',
  'IN',
  'TRUE',
  'FALSE',
  'NULL',
  'DATE',
  'DTDURATION',
  'CHANGED',
  'WAS',
] as const;
export type Keyword = (typeof KEYWORDS)[number];

export type Punctuation = '==' | '!=' | '<' | '<=' | '>' | '>=' | '=~' | '!~' | '+' | '-' | '(' | ')' | '{' | '}' | ',';

export interface PlainToken extends Span {
  readonly kind: Keyword | Punctuation | 'end';
}

export interface PathToken extends Span {
  readonly kind: 'path';
  readonly path: Datapath;
}

export interface NumberToken extends Span {
  readonly kind: 'number';
  readonly value: number;
  /** True when the number was written without a decimal point. */
  readonly isInteger: boolean;
}

export interface StringToken extends Span {
  readonly kind: 'string';
  /** The text without quotes, with its escapes resolved. */
  readonly value: string;
}

/** The name of a function of the host, before its opening parenthesis. */
export interface CallToken extends Span {
  readonly kind: 'call';
  readonly called: FunctionSyntax;
}

export type Token = CallToken | PlainToken | PathToken | NumberToken | StringToken;
