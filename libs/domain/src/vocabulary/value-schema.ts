import { parseMoment } from '@ats/datapath';
import { message, packed } from '@ats/message';
import { RICH_TEXT_LIMITS } from '@ats/rich-text';
import { z } from 'zod';
import { richTextViolation } from './rich-text.js';

/** This file contains the checks of values that clients send, one for each kind of attribute. */

/** Characters that PostgreSQL cannot store in a text: the null character and lone surrogates. */
const NOT_TEXT = /[\0\p{Surrogate}]/u;

/** Makes the schema of a text that PostgreSQL can store. @param maxLength  in UTF-16 units */
export const cleanText = (maxLength: number): z.ZodString =>
  z
    .string()
    .max(maxLength)
    .refine((text) => !NOT_TEXT.test(text), {
      error: packed(message`a text cannot contain null characters or lone surrogates`),
    });

export const filledText = (maxLength: number): z.ZodString =>
  cleanText(maxLength).refine((text) => text.trim() !== '', {
    error: packed(message`expected a text that is not empty`),
  });

export const oneOf = (values: readonly [string, ...string[]]): z.ZodType => z.enum(values);

const richTextOf = (options: { readonly isFilled: boolean }): z.ZodString =>
  cleanText(RICH_TEXT_LIMITS.length).superRefine((text, context) => {
    const violation = richTextViolation(text, options);
    if (violation) context.addIssue({ code: 'custom', message: packed(violation) });
  });

export const richTextSchema = richTextOf({ isFilled: false });

/** The schema of a rich text that is not empty after it is sanitised. */
export const filledRichTextSchema = richTextOf({ isFilled: true });

export const integerSchema = (minimum: number, maximum: number): z.ZodNumber => {
  const range = packed(message`expected a whole number from ${minimum} to ${maximum}`);
  const error = ({ code }: { readonly code?: string }): string =>
    code === 'invalid_type' ? packed(message`expected a whole number`) : range;
  // `int` also refuses integers that JavaScript cannot represent exactly. `abort` skips the later checks, so that such
  // a number causes one violation.
  return z.number({ error }).int({ abort: true }).min(minimum).max(maximum);
};

/** The schema of the id of an item in a request. */
export const idSchema = integerSchema(1, Number.MAX_SAFE_INTEGER);

const hasTwoDecimals = (value: number): boolean => Number(value.toFixed(2)) === value;

/** Makes the schema of a number with at most two decimals. */
export const decimalSchema = (minimum: number, maximum: number): z.ZodType => {
  const limit = { error: packed(message`expected a number from ${minimum} to ${maximum}`), abort: true };
  const range = z.number().min(minimum, limit).max(maximum, limit);
  return range.refine(hasTwoDecimals, { error: packed(message`expected at most two decimals`) });
};

export const booleanSchema = z.boolean();

const DATE_ERROR = packed(message`expected a date as ${'YYYY-MM-DD'}`);
const MOMENT_ERROR = packed(message`expected a timestamp as ${'YYYY-MM-DDThh:mm:ss.sssZ'}`);

export const dateSchema = z.iso.date({ error: DATE_ERROR, abort: true }).refine((text) => !text.startsWith('0000-'));

/**
 * The schema of a moment in requests: a timestamp with a zone. The parsed value is the timestamp in UTC with
 * milliseconds, as answers show it. Source: docs/reference/resources.md, "Timestamps in requests".
 */
export const momentSchema = z
  .string({ error: MOMENT_ERROR })
  .meta({ format: 'date-time' })
  .transform((text, context) => {
    const ms = parseMoment(text);
    if (ms !== undefined) return new Date(ms).toISOString();
    context.addIssue({ code: 'custom', message: MOMENT_ERROR });
    return z.NEVER;
  });

/** The schema of a short text, such as a tag. */
export const tagSchema = cleanText(100).min(1);
