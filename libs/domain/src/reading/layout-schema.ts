/** JSON Schema of `layout_data`. Source: SPEC.md 2.1, CONTRACT.md 4. */
export const LAYOUT_DATA_SCHEMA = {
  description: 'The values of a layout’s columns, in their order; there with the query parameter `layout` alone.',
  type: 'array',
  items: {
    type: 'object',
    properties: {
      value: {
        description: 'What a person reads: of an object its name. A list where the datapath leads to many.',
        type: ['string', 'number', 'boolean', 'null', 'array'],
        items: { type: ['string', 'number', 'boolean', 'null'] },
      },
      value_raw: {
        description: 'The id of the object that `value` names; there for such columns alone.',
        type: ['integer', 'null', 'array'],
        items: { type: ['integer', 'null'] },
      },
    },
    required: ['value'],
    additionalProperties: false,
  },
} as const;
