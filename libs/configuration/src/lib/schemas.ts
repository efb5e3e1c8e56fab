import { z } from 'zod';

/**
 * The text of an error, or a function that makes the text from a thrown error. The text says what the value must be,
 * and never quotes the value.
 */
export type ErrorText = string | ((error: unknown) => string);

/** Makes a schema that reads a text with the function `read`. For an invalid text, `read` must throw or return null. */
const readBy = <Value>(read: (text: string) => Value | null, errorText: ErrorText): z.ZodType<Value, string> =>
  z.string().transform((text, context) => {
    try {
      const value = read(text);
      if (value !== null) return value;
      context.addIssue({ code: 'custom', message: toErrorText(errorText, null) });
    } catch (error) {
      context.addIssue({ code: 'custom', message: toErrorText(errorText, error) });
    }
    return z.NEVER;
  });

const toErrorText = (errorText: ErrorText, error: unknown): string =>
  typeof errorText === 'string' ? errorText : errorText(error);

/** The schema of a flag: `true`, `1` or `yes`; `false`, `0` or `no`. */
const flag = z
  .enum(['true', 'false', '1', '0', 'yes', 'no'], { error: 'must be true or false' })
  .transform((text) => ['true', '1', 'yes'].includes(text));

/**
 * Makes a schema that accepts a URL with one host and one of the given protocols, such as `https:`. User, password and
 * path must have valid percent-encoding.
 */
function serverUrl(protocols: readonly string[]): z.ZodType<string, string> {
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
  const errorText = `must be a URL of one server that starts with ${starts}, with special characters percent-encoded`;
  const read = (text: string): string | null => {
    const { protocol, username, password, hostname, pathname } = new URL(text);
    decodeURIComponent(`${username}${password}${pathname}`); // `decodeURIComponent` throws when the percent-encoding is
    // invalid.
    return protocols.includes(protocol) && !hostname.includes(',') ? text : null;
  };
  return readBy(read, errorText);
}

/**
 * Makes the schema of a whole number from `least` to `most` in decimal digits. `unit` is used in error texts, such as
 * `days`.
 */
function wholeNumber({
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
  unit = '',
}: {
  least?: number;
  most?: number;
  unit?: string;
} = {}): z.ZodType<number, string> {
  const range =
    most === Number.MAX_SAFE_INTEGER ? (least > 0 ? `, at least ${least}` : '') : ` from ${least} to ${most}`;
  return readBy(
    (text) => (/^\s*\d{1,16}\s*$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null),
    `must be a whole number${unit && ` of ${unit}`}${range}`,
  );
}

/** The schema of the port number of TCP. */
const port = readBy(
  (text) => (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535 ? Number(text) : null),
  'must be a port number from 1 to 65535',
);

/** Makes a schema that accepts one of the given words. */
const oneOf = <const Word extends string>(words: readonly Word[]): z.ZodType<Word, string> =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** Schemas that check and convert the texts of environment variables. */
export interface Schemas {
  /** The schema of a flag: `true`, `1` or `yes`; `false`, `0` or `no`. */
  readonly flag: z.ZodType<boolean, string>;
  /** Makes a schema that accepts one of the given words. */
  readonly oneOf: <const Word extends string>(words: readonly Word[]) => z.ZodType<Word, string>;
  /** The schema of a TCP port. */
  readonly port: z.ZodType<number, string>;
  /**
   * Makes a schema that reads a text with the function `read`. For an invalid text, `read` must throw or return null.
   */
  readonly readBy: <Value>(read: (text: string) => Value | null, errorText: ErrorText) => z.ZodType<Value, string>;
  /** Makes a schema that accepts a URL with one host and one of the given protocols, such as `https:`. */
  readonly serverUrl: (protocols: readonly string[]) => z.ZodType<string, string>;
  /**
   * Makes the schema of a whole number from `least` to `most` in decimal digits. `unit` is used in error texts, such as
   * `days`.
   */
  readonly wholeNumber: (range?: { least?: number; most?: number; unit?: string }) => z.ZodType<number, string>;
}

/** Schemas that check and convert the texts of environment variables. */
export const schemas: Schemas = { flag, oneOf, port, readBy, serverUrl, wholeNumber };
