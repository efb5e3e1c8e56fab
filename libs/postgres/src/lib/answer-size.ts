import pg from 'pg';
import { bytesOf, textOf } from './byte-texts.js';
import { typeParsers } from './type-parsers.js';

/** Maximum size of an answer to a client, in bytes. Source: docs/reference/limits.md, "Sizes". */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const [BYTEA, TEXT] = [Number(pg.types.builtins.BYTEA), Number(pg.types.builtins.TEXT)];

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
 * Makes parsers for the values of one statement on a `ByteTextClient`. When the values exceed `maxBytes`, the parsers
 * throw, so that no further rows are kept in memory.
 * @param textsAsBytes  see `ReadStatement`
 */
export function boundedParsers(maxBytes: number, textsAsBytes = false): typeof typeParsers {
  let size = 0;
  return {
    getTypeParser(oid, format) {
      const parse = typeParsers.getTypeParser(oid, format);
      // The server sends a value of the type `bytea` as a text: `\x` and two digits for each byte.
      const sizeOf = (bytes: string): number => (oid === BYTEA ? bytes.length / 2 - 1 : bytes.length);
      return (bytes) => {
        size += sizeOf(bytes);
        if (size > maxBytes) throw new AnswerTooLargeError();
        return textsAsBytes && oid === TEXT ? bytesOf(bytes) : parse(textOf(bytes));
      };
    },
  };
}
