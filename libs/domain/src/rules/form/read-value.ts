import { message, type Message, packed } from '@ats/message';
import { readRichText, RichTextError } from '@ats/rich-text';
import { z } from 'zod';
import { booleanSchema, cleanText, dateSchema, integerSchema, momentSchema } from '../../vocabulary/value-schema.js';
import { ISSUE_MESSAGES, issueMessage } from '../../writing/issue-message.js';
import { emailAddress } from '../../objects/email-address.js';
import { type DefinedItem } from './form-definition.js';
import { type ItemType } from '../../objects/form.model.js';
import { NO_VALUE, type ValueColumns } from '../../reading/form-value.js';
import { PATTERN_LIMITS, type Patterns } from './pattern.js';

/** The maximum sizes of a form value. Source: docs/reference/forms.md, "Limits". */
export const VALUE_LIMITS = {
  text: 500,
  textarea: 30_000,
  richText: 100_000,
  phone: 50,
  phoneDigits: 20,
  decimal: 999_999_999_999,
  decimals: 6,
} as const;

const INFO_LENGTH = 500;
const LISTED_OPTIONS = 20;

/** Shortens a text that a violation quotes, because one answer may have a thousand violations. */
export const shortened = (text: string): string =>
  text.length > INFO_LENGTH ? `${[...text].slice(0, INFO_LENGTH).join('')} …` : text;

/** The columns of a valid value, or the reason why it is invalid. */
export type ReadValue =
  | { readonly columns: ValueColumns; readonly violation?: undefined }
  | { readonly violation: Message };

const phone = cleanText(VALUE_LIMITS.phone).refine(isPhone, {
  error: packed(message`expected a telephone number, such as ${'+44 20 7946 0000'}`),
});

function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return (
    /^\+?[\d(][\d ()./-]*( ?(x|ext\.?) ?\d{1,8})?$/i.test(text) && digits >= 3 && digits <= VALUE_LIMITS.phoneDigits
  );
}

const decimal = z
  .number()
  .min(-VALUE_LIMITS.decimal)
  .max(VALUE_LIMITS.decimal)
  .refine((value) => Number(value.toFixed(VALUE_LIMITS.decimals)) === value, {
    error: packed(message`expected at most ${VALUE_LIMITS.decimals} decimals`),
  });

/** Maps each item type to the schema of its values. Selects have no schema. */
const SCHEMAS: Readonly<Record<Exclude<ItemType, 'single_select' | 'multi_select'>, z.ZodType>> = {
  text: cleanText(VALUE_LIMITS.text),
  textarea: cleanText(VALUE_LIMITS.textarea),
  rich_text: cleanText(VALUE_LIMITS.richText),
  integer: integerSchema(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  decimal,
  boolean: booleanSchema,
  date: dateSchema,
  datetime: momentSchema,
  email: emailAddress,
  phone,
};

/**
 * Reads a value that is not null. Does not trim the value or convert its type.
 * @param before  the stored value; a rich text whose plain text equals the given text keeps its formatting
 */
export function readValue(
  item: DefinedItem,
  value: unknown,
  { patterns, before }: { readonly patterns: Patterns; readonly before: ValueColumns | undefined },
): ReadValue {
  if (item.type === 'rich_text' && typeof value === 'string' && value === before?.rich_value_plain) {
    return { columns: { ...NO_VALUE, rich_value: before.rich_value, rich_value_plain: value } };
  }
  if (item.type === 'single_select') return readChoice(item, value);
  if (item.type === 'multi_select') return readChoices(item, value);
  const parsed = SCHEMAS[item.type].safeParse(value, ISSUE_MESSAGES);
  if (!parsed.success) return { violation: issueMessage(parsed.error.issues[0]) };
  return withinLimits(item, toColumns(item.type, parsed.data), patterns);
}

function toColumns(type: Exclude<ItemType, 'single_select' | 'multi_select'>, value: unknown): ReadValue {
  switch (type) {
    case 'integer':
    case 'decimal':
      return { columns: { ...NO_VALUE, number_value: (value as number) + 0 } };
    case 'boolean':
      return { columns: { ...NO_VALUE, boolean_value: value as boolean } };
    case 'date':
      return { columns: { ...NO_VALUE, date_value: value as string } };
    case 'datetime':
      return { columns: { ...NO_VALUE, datetime_value: new Date(value as string).toISOString() } };
    case 'textarea':
      return { columns: { ...NO_VALUE, long_value: value as string } };
    case 'rich_text':
      return readRich(value as string);
    case 'text':
    case 'email':
    case 'phone':
      return { columns: { ...NO_VALUE, text_value: value as string } };
  }
}

function readRich(text: string): ReadValue {
  try {
    const { html, plain } = readRichText(text);
    return { columns: { ...NO_VALUE, rich_value: html, rich_value_plain: plain } };
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    return { violation: error.violation.message };
  }
}

/** Checks the limits of the item. An empty text always passes, because `required` decides whether it is allowed. */
function withinLimits({ min, max, max_length, pattern }: DefinedItem, read: ReadValue, patterns: Patterns): ReadValue {
  if (read.violation !== undefined) return read;
  const { number_value, text_value, long_value, rich_value_plain } = read.columns;
  const text = text_value ?? long_value ?? rich_value_plain;
  if (number_value !== null && min !== null && number_value < min)
    return { violation: message`expected at least ${min}` };
  if (number_value !== null && max !== null && number_value > max)
    return { violation: message`expected at most ${max}` };
  const most = Math.min(max_length ?? Infinity, pattern === null ? Infinity : PATTERN_LIMITS.textLength);
  const length = text === null || most === Infinity ? 0 : countCharacters(text);
  if (length > most) return { violation: message`expected at most ${most} characters, found ${length}` };
  const violation = text && pattern !== null ? patterns.violationOf(text, pattern) : undefined;
  return violation === undefined ? read : { violation };
}

/** Counts code points, as JSON Schema and all other limits do. An emoji therefore counts as one character. */
const countCharacters = (text: string): number => [...text].length;

/** Makes the violation text that lists the options of a select. Leaves out options that make the text too long. */
function choicesOf({ options }: DefinedItem): Message {
  let length = 0;
  const listed = options
    .slice(0, LISTED_OPTIONS)
    .flatMap(({ value }) => ((length += value.length) <= INFO_LENGTH ? [value] : []));
  return message`expected one of ${listed.length < options.length ? [...listed, '…'] : listed}`;
}

function readChoice(item: DefinedItem, value: unknown): ReadValue {
  const option = item.optionOf.get(value);
  return option
    ? { columns: { ...NO_VALUE, text_value: option.value, option_ids: [option.id] } }
    : { violation: choicesOf(item) };
}

function readChoices(item: DefinedItem, value: unknown): ReadValue {
  if (!Array.isArray(value)) return { violation: message`expected a list of options` };
  const chosen = value.flatMap((one) => item.optionOf.get(one) ?? []);
  if (chosen.length < value.length) return { violation: choicesOf(item) };
  if (new Set(chosen).size < chosen.length) return { violation: message`expected no option more than once` };
  return {
    columns: {
      ...NO_VALUE,
      option_values: chosen.map((option) => option.value),
      option_ids: chosen.map(({ id }) => id),
    },
  };
}
