import { HISTORY_TYPES, type JsonSchema, KNOWN_STATES, openList } from '@ats/domain';
import { strictObject } from '../vocabulary/operation.js';

const nullable = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'], 'null'],
});

const reference = strictObject({ id: { type: 'integer' }, url: { type: 'string', format: 'uri' } });
const state = strictObject({
  state: openList(KNOWN_STATES.state),
  state_id: { type: 'integer' },
  name: { type: 'string' },
  id: { type: 'integer' },
  is_terminal: { type: 'boolean' },
});

/** The answer of `GET …/history`. Source: docs/reference/history.md, "Reading the history of an item". */
export const HISTORY_SCHEMA = {
  name: 'history',
  schema: strictObject({
    items: {
      type: 'array',
      items: strictObject({
        id: { type: 'integer' },
        type: { type: 'string', enum: HISTORY_TYPES },
        date: { type: 'string', format: 'date-time' },
        user: nullable(reference),
        subject: reference,
        from: nullable(state),
        to: nullable(state),
        comment: { type: ['string', 'null'] },
        changes: { type: ['array', 'null'], items: strictObject({ path: { type: 'string' }, old: {}, new: {} }) },
      }),
    },
    has_more: { type: 'boolean' },
  }),
};
