import { z } from 'zod';
import { idSchema, integerSchema } from '../../vocabulary/value-schema.js';
import { optionalProperty } from '../../writing/write-schema.js';

export const MAX_VALUES = 1_000;
export const MAX_BULK_ITEMS = 1_000;

/** Of a repeated section within a form, and of a form. */
export const MAX_INSTANCE = 1_000;
const instance = optionalProperty(integerSchema(1, MAX_INSTANCE)) as z.ZodType<number | undefined>;

const formValue = z.strictObject({
  item_id: idSchema,
  section_instance: instance.describe(
    `1 unless told, at most ${MAX_INSTANCE}; a further one needs a section that is repeatable.`,
  ),
  form_instance: instance.describe(`1 unless told, at most ${MAX_INSTANCE}.`),
  value: z
    .unknown()
    .refine((value) => value !== undefined)
    .describe(
      "Of the item's type; null clears it. A select takes the `value` of an option, a `multi_select` a list of them.",
    ),
  value_raw: z.unknown().optional().describe('As it was read; ignored.'),
});

const formValues = z.array(formValue).max(MAX_VALUES);

/** What else stands there is a fault of its own, and none of the value's. */
const place = z.object(formValue.shape).omit({ value: true, value_raw: true });

/** A value of a body, with its JSON pointer. */
export interface GivenValue extends z.output<typeof place> {
  readonly path: string;
  /** Undefined when it was left out. */
  readonly value: unknown;
}

/** The values of a list, whatever else is wrong with the body. */
export interface GivenValues {
  /** Those of which it can be said where they belong. */
  readonly given: readonly GivenValue[];
  /** There are others: what is not named among `given` cannot be known. */
  readonly isPartial: boolean;
}

/** @param pointer  to the list */
export function givenValues(list: unknown, pointer: string): GivenValues {
  if (!Array.isArray(list) || list.length > MAX_VALUES) return { given: [], isPartial: true };
  const given = list.flatMap((element: unknown, index): GivenValue[] => {
    const read = place.safeParse(element);
    return read.success
      ? [{ ...read.data, value: (element as { readonly value?: unknown }).value, path: `${pointer}/${index}` }]
      : [];
  });
  return { given, isPartial: given.length < list.length };
}

/** The body of `POST …/form_values`. Source: CONTRACT.md 5. */
export const formValuesSchema = z.strictObject({ form_values: formValues });

/** The body of `POST …/bulk_form_values`. */
export const bulkFormValuesSchema = z.strictObject({
  items: z.array(z.strictObject({ id: idSchema, form_values: formValues })).max(MAX_BULK_ITEMS),
});
