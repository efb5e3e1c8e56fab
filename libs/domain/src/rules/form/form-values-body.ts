import { z } from 'zod';
import { idSchema, integerSchema } from '../../vocabulary/value-schema.js';
import { optionalProperty } from '../../writing/write-schema.js';

export const MAX_VALUES = 1_000;
export const MAX_BULK_ITEMS = 1_000;

/** The highest number that an instance of a section or form can have. */
export const MAX_INSTANCE = 1_000;
const instance = optionalProperty(integerSchema(1, MAX_INSTANCE)) as z.ZodType<number | undefined>;

const formValue = z.strictObject({
  item_id: idSchema,
  section_instance: instance.describe(
    `Defaults to 1, at most ${MAX_INSTANCE}. Instances above 1 need a section that is repeatable.`,
  ),
  form_instance: instance.describe(`Defaults to 1, at most ${MAX_INSTANCE}.`),
  value: z
    .unknown()
    .refine((value) => value !== undefined)
    .describe(
      "A value of the item's type; null clears it. A select takes the `value` of an option, a `multi_select` a list.",
    ),
  value_raw: z.unknown().optional().describe('Ignored. Accepted so that a value can be sent back as it was read.'),
});

const formValues = z.array(formValue).max(MAX_VALUES);

/**
 * The properties of a form value in a body that identify its item and its instances. They are read even when the value
 * itself is invalid.
 */
const place = z.object(formValue.shape).omit({ value: true, value_raw: true });

/** A form value in a body, with its JSON pointer. */
export interface GivenValue extends z.output<typeof place> {
  readonly path: string;
  /** Undefined when the body omits the value. */
  readonly value: unknown;
}

/** The form values of a body. Other parts of the body may be invalid. */
export interface GivenValues {
  /** The values whose item id and instances are valid. */
  readonly given: readonly GivenValue[];
  /**
   * True when the body has form values that could not be read. `given` lacks them, so an item without a value in
   * `given` may still have a value in the body.
   */
  readonly isPartial: boolean;
}

/**
 * Reads the form values of a body. Skips values whose item id or instances are invalid.
 * @param pointer  JSON pointer to the list
 */
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

/** The schema of the body of `POST …/form_values`. Source: docs/reference/forms.md, "Form values". */
export const formValuesSchema = z.strictObject({ form_values: formValues });

/** The schema of the body of `POST …/bulk_form_values`. Source: docs/reference/forms.md, "Bulk writes". */
export const bulkFormValuesSchema = z.strictObject({
  items: z.array(z.strictObject({ id: idSchema, form_values: formValues })).max(MAX_BULK_ITEMS),
});
