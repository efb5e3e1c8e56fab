import { DATAPATH_LIMITS } from '@ats/datapath';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { localisedSchema } from '../../vocabulary/localised-text.js';
import { booleanSchema, cleanText, filledText, idSchema, integerSchema } from '../../vocabulary/value-schema.js';
import { optionalProperty, writeSchema } from '../../writing/write-schema.js';
import { form, ITEM_TYPES } from '../../objects/form.model.js';
import { PATTERN_LIMITS } from './pattern.js';

/** The maximum sizes of the parts of a form. Source: docs/reference/forms.md, "Limits". */
export const FORM_LIMITS = {
  sections: 100,
  items: 500,
  options: 1_000,
  labelLength: 1_000,
  patternLength: 500,
  conditionLength: DATAPATH_LIMITS.textLength,
} as const;

const optional = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> =>
  optionalProperty(schema) as z.ZodType<T | undefined>;

const label = localisedSchema(filledText(FORM_LIMITS.labelLength));

const KEY_ERROR = packed(
  message`expected a name: a letter or underscore, then letters, digits, underscores, at most 64 in all`,
);
const option = z.strictObject({
  id: optional(idSchema),
  value: filledText(255),
  label: optional(label).describe('Defaults to the value.'),
});

const validation = z.strictObject({
  min: optional(z.number()),
  max: optional(z.number()),
  max_length: optional(integerSchema(1, 100_000)),
  pattern: optional(filledText(FORM_LIMITS.patternLength)).describe(
    'A regular expression in RE2 syntax that the whole value must match. ' +
      `A value of an item with a pattern may have at most ${PATTERN_LIMITS.textLength} characters.`,
  ),
});

const itemShape = {
  id: optional(idSchema),
  key: z.string({ error: KEY_ERROR }).regex(/^[A-Za-z_]\w{0,63}$/),
  label,
  type: z.enum(ITEM_TYPES),
  options: optional(z.array(option).max(FORM_LIMITS.options)).describe(
    'Required for selects, not allowed for other types.',
  ),
  required: optional(booleanSchema),
  visible_if: optional(cleanText(FORM_LIMITS.conditionLength)).describe(
    'A condition, such as `application.formdata.has_licence == true`. It may name items of this form by their keys.',
  ),
  validation: optional(validation),
};
const item = z.strictObject(itemShape);

const section = z.strictObject({
  id: optional(idSchema),
  name: label,
  repeatable: optional(booleanSchema),
  items: z.array(item).max(FORM_LIMITS.items),
});

export type OptionBody = z.output<typeof option>;
export type ItemBody = z.output<typeof item>;
export type SectionBody = z.output<typeof section>;

/**
 * The schema of the body of a new or replaced form. A section, item or option of the body replaces the stored section,
 * item or option with the same id. An item without an id replaces the stored item with the same key.
 * Source: docs/reference/forms.md, "Replacing a form".
 */
export const formSchema = writeSchema(form).extend({ sections: z.array(section).max(FORM_LIMITS.sections) });
