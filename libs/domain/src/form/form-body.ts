import { LIMITS } from '@ats/datapath';
import { z } from 'zod';
import { localisedSchema } from '../localisation/localised-text.js';
import { cleanText, idSchema, integerSchema } from '../model/value-schema.js';
import { optionalProperty, writeSchema } from '../writing/write-schema.js';
import { form, ITEM_TYPES } from './form.model.js';
import { PATTERN_LIMITS } from './pattern.js';

/** The greatest sizes of a form. */
export const FORM_LIMITS = { sections: 100, items: 500, options: 1_000, labelLength: 1_000, patternLength: 500, conditionLength: LIMITS.textLength } as const;

const filled = (length: number): z.ZodType<string> =>
  cleanText(length).refine((text) => text.trim() !== '', { error: 'expected a text that is not empty' });
const listOf = <T extends z.ZodType>(schema: T, what: string, most: number): z.ZodArray<T> =>
  z.array(schema, { error: `expected a list of ${what}` }).max(most, { error: `expected at most ${most} ${what}` });
const optional = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> => optionalProperty(schema) as z.ZodType<T | undefined>;

const label = localisedSchema(filled(FORM_LIMITS.labelLength));

const KEY_ERROR = 'expected a name: a letter or underscore, then letters, digits, underscores, at most 64 in all';
const option = z.strictObject({
  id: optional(idSchema),
  value: filled(255),
  label: optional(label).describe('The value itself unless told.'),
});

const number = z.number({ error: 'expected a number' });
const validation = z.strictObject({
  min: optional(number),
  max: optional(number),
  max_length: optional(integerSchema(1, 100_000)),
  pattern: optional(filled(FORM_LIMITS.patternLength)).describe(`A regular expression in the syntax of RE2 that the whole value must match, which has at most ${PATTERN_LIMITS.textLength} characters then.`),
});

const itemShape = {
  id: optional(idSchema),
  key: z.string({ error: KEY_ERROR }).regex(/^[A-Za-z_]\w{0,63}$/, { error: KEY_ERROR }),
  label,
  type: z.enum(ITEM_TYPES, { error: `expected one of ${ITEM_TYPES.join(', ')}` }),
  options: optional(listOf(option, 'options', FORM_LIMITS.options)).describe('Of selects alone, which need them.'),
  required: optional(z.boolean({ error: 'expected true or false' })),
  visible_if: optional(cleanText(FORM_LIMITS.conditionLength)).describe('A condition, such as `application.formdata.has_licence == true`: items of this form can be named by their keys.'),
  validation: optional(validation),
};
const item = z.strictObject(itemShape);

const section = z.strictObject({
  id: optional(idSchema),
  name: label,
  repeatable: optional(z.boolean({ error: 'expected true or false' })),
  items: listOf(item, 'items', FORM_LIMITS.items),
});

export type OptionBody = z.output<typeof option>;
export type ItemBody = z.output<typeof item>;
export type SectionBody = z.output<typeof section>;

/** The body of a new or replaced form. Parts with the id of one that is there already stay that one, items by their key too. */
export const formSchema = writeSchema(form).extend({ sections: listOf(section, 'sections', FORM_LIMITS.sections) });
