/** JSON Schema of `layout_data`. Source: docs/reference/layouts.md. */
export const LAYOUT_DATA_SCHEMA = {
  description: 'The values of the layout’s columns, in their order. Present only with the query parameter `layout`.',
  type: 'array',
  items: {
    type: 'object',
    properties: {
      value: {
        description: 'The value to show; for an object its name. A list when the datapath has many values.',
        type: ['string', 'number', 'boolean', 'null', 'array'],
        items: { type: ['string', 'number', 'boolean', 'null'] },
      },
      value_raw: {
        description: 'The id of the object that `value` names. Present only in columns that show an object.',
        type: ['integer', 'null', 'array'],
        items: { type: ['integer', 'null'] },
      },
    },
    required: ['value'],
    additionalProperties: false,
  },
} as const;
