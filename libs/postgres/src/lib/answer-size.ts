import pg from 'pg';
import { typeParsers } from './type-parsers.js';

/** Largest answer to a client, in bytes. Source: docs/reference/limits.md, "Sizes". */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const BYTEA = Number(pg.types.builtins.BYTEA);

/** SQLSTATE of the function `answer_too_large` of the schema. */
const TOO_LARGE = 'ATS32';

/** The rows of a statement are larger than an answer may be. */
export class AnswerTooLargeError extends Error {
  readonly code = TOO_LARGE;

  constructor() {
    super('the rows of the statement are larger than an answer may be');
    this.name = 'AnswerTooLargeError';
  }
}

/** True when a statement was ended because its answer is too large, by the server or by `boundedParsers`. */
export const isAnswerTooLarge = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { readonly code?: unknown }).code === TOO_LARGE;

/**
 * Parsers for the values of one statement. Above `maxBytes`, they throw instead of reading a further value, so that no
 * more rows stay in memory. The size of a text is at least its number of characters.
 */
export function boundedParsers(maxBytes: number): typeof typeParsers {
  let size = 0;
  return {
    getTypeParser(oid, format) {
      const parse = typeParsers.getTypeParser(oid, format);
      // The driver gives bytes as the text `\x` with two digits for each byte.
      const sizeOf = (text: string): number => (oid === BYTEA ? text.length / 2 - 1 : text.length);
      return (text) => {
        size += sizeOf(text);
        if (size > maxBytes) throw new AnswerTooLargeError();
        return parse(text);
      };
    },
  };
}
