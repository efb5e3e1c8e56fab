const state = {
  state: { type: 'string' },
  state_id: { type: 'integer' },
  name: { type: 'string' },
  phase: { type: 'string' },
} as const;

/** The answer of `GET …/state`. Source: docs/reference/states.md, "Moves". */
export const STATE_SCHEMA = {
  name: 'state',
  schema: {
    type: 'object',
    properties: {
      ...state,
      entered_dt: { type: 'string', format: 'date-time' },
      allowed: {
        type: 'array',
        items: { type: 'object', properties: state, required: Object.keys(state), additionalProperties: false },
      },
    },
    required: [...Object.keys(state), 'entered_dt', 'allowed'],
    additionalProperties: false,
  },
} as const;
