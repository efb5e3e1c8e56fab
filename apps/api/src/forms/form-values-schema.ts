const strictObject = <Properties extends object>(properties: Properties, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const formValues = {
  type: 'array',
  items: strictObject(
    {
      item_id: { type: 'integer' },
      section_instance: { type: 'integer', minimum: 1 },
      form_instance: { type: 'integer', minimum: 1 },
      value: {
        description:
          "Of the item's type: a select reads as the `value` of its option, a `multi_select` as a list of them.",
      },
      value_raw: { description: 'Of a select: the id of the option, or a list of ids.' },
    },
    ['value_raw'],
  ),
} as const;

/** What `GET …/form_values` answers: the values there are, in the order of their forms. Source: CONTRACT.md 5. */
export const FORM_VALUES_SCHEMA = { name: 'form_values', schema: strictObject({ form_values: formValues }) };

export const BULK_FORM_VALUES_SCHEMA = {
  name: 'bulk_form_values',
  schema: strictObject({
    items: { type: 'array', items: strictObject({ id: { type: 'integer' }, form_values: formValues }) },
  }),
};
