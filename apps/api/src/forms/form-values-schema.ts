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
          'The value, in the type of the form item. A `single_select` has the `value` of the chosen option, a ' +
          '`multi_select` a list of them.',
      },
      value_raw: { description: 'Only for selects: the id of the option, or a list of ids.' },
    },
    ['value_raw'],
  ),
} as const;

/** The answer of `GET …/form_values`. Source: docs/reference/forms.md, "Form values". */
export const FORM_VALUES_SCHEMA = { name: 'form_values', schema: strictObject({ form_values: formValues }) };

export const BULK_FORM_VALUES_SCHEMA = {
  name: 'bulk_form_values',
  schema: strictObject({
    items: { type: 'array', items: strictObject({ id: { type: 'integer' }, form_values: formValues }) },
  }),
};
