import pg from 'pg';
import { typeParsers } from './type-parsers.js';

/** Maximum size of an answer to a client, in bytes. Source: docs/reference/limits.md, "Sizes". */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const BYTEA = Number(pg.types.builtins.BYTEA);

/** SQLSTATE that the SQL function `answer_too_large` raises. */
const TOO_LARGE = 'ATS32';

/** The error for rows that are together larger than an answer may be. */
export class AnswerTooLargeError extends Error {
  readonly code = TOO_LARGE;

  constructor() {
    super('the rows of the statement are larger than an answer may be');
    this.name = 'AnswerTooLargeError';
  }
}

/** True when a statement ended because its answer is too large. The server or `boundedParsers` has ended it. */
export const isAnswerTooLarge = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { readonly code?: unknown }).code === TOO_LARGE;

/**
 * Makes parsers for the values of one statement. When the values exceed `maxBytes`, the parsers throw, so that no
 * further rows are kept in memory. The parsers count the characters of a text, whose number is at most that of its
 * bytes.
 */
export function boundedParsers(maxBytes: number): typeof typeParsers {
  let size = 0;
  return {
    getTypeParser(oid, format) {
      const parse = typeParsers.getTypeParser(oid, format);
      // The driver returns bytes as a text: `\x` and two digits for each byte.
      const sizeOf = (text: string): number => (oid === BYTEA ? text.length / 2 - 1 : text.length);
      return (text) => {
        size += sizeOf(text);
        if (size > maxBytes) throw new AnswerTooLargeError();
        return parse(text);
      };
    },
  };
}
