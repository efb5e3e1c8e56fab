import { CHANGES, followedResources } from '@ats/domain';
import { strictObject } from '../vocabulary/operation.js';

const change = strictObject({
  resource: {
    type: 'string',
    enum: followedResources().map(({ name }) => name),
    description: 'Name of the resource, as in `resources`.',
  },
  id: { type: 'integer' },
  uuid: { type: 'string', format: 'uuid' },
  url: { type: 'string', format: 'uri', description: 'URL of the item. It answers 404 when the item is deleted.' },
  change: { type: 'string', enum: CHANGES },
  dt: {
    type: 'string',
    format: 'date-time',
    description: '`updated_dt` of the item after the change, or the time of the deletion.',
  },
});

/** The answer of `GET /changes`. Source: docs/reference/changes.md. */
export const CHANGES_SCHEMA = {
  name: 'changes',
  schema: strictObject({
    items: { type: 'array', items: change },
    next: { type: 'string', description: 'The token to send as `since` in the next request.' },
    has_more: { type: 'boolean', description: 'True when further changes are stored already.' },
  }),
};
