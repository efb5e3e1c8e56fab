import { HISTORY_TYPES } from '@ats/domain';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '@ats/pagination';
import { type QueryParameter } from '../vocabulary/operation.js';

const perPage: QueryParameter = {
  name: 'per_page',
  description: 'Maximum number of entries.',
  schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
};

export const FEED_PARAMETERS: readonly QueryParameter[] = [
  perPage,
  {
    name: 'since_id',
    description: 'Only entries newer than the entry with this id. 0 starts at the oldest entry.',
    schema: { type: 'integer', minimum: 0 },
  },
];

export const HISTORY_PARAMETERS: readonly QueryParameter[] = [
  perPage,
  {
    name: 'before_id',
    description: 'Only entries older than the entry with this id.',
    schema: { type: 'integer', minimum: 1 },
  },
];

const strictObject = <Properties extends object>(properties: Properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const nullable = <Schema extends { readonly type: string }>(schema: Schema) => ({
  ...schema,
  type: [schema.type, 'null'],
});

const reference = strictObject({ id: { type: 'integer' }, url: { type: 'string', format: 'uri' } });
const state = strictObject({ state: { type: 'string' }, state_id: { type: 'integer' }, name: { type: 'string' } });

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
