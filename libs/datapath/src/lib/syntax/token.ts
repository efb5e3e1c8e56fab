import { type Datapath } from './datapath.js';

/** Words with a meaning of their own, in any case; after a dot they are ordinary names. */
export const KEYWORDS = ['AND', 'OR', 'NOT', 'IN', 'TRUE', 'FALSE', 'NULL', 'DATE', 'DTDURATION'] as const;
export type Keyword = (typeof KEYWORDS)[number];

export type Punctuation = '==' | '!=' | '<' | '<=' | '>' | '>=' | '=~' | '!~' | '+' | '-' | '(' | ')' | '{' | '}' | ',';

interface At {
  readonly offset: number;
  readonly length: number;
}

export interface PlainToken extends At {
  readonly kind: Keyword | Punctuation | 'end';
}

export interface PathToken extends At {
  readonly kind: 'path';
  readonly path: Datapath;
}

export interface NumberToken extends At {
  readonly kind: 'number';
  readonly value: number;
  /** Written without a point. */
  readonly isInteger: boolean;
}

export interface StringToken extends At {
  readonly kind: 'string';
  /** Escapes resolved, quotes removed. */
  readonly value: string;
}

export type Token = PlainToken | PathToken | NumberToken | StringToken;
