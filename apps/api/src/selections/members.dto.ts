import { idSchema, MAX_MEMBERS_AT_ONCE } from '@ats/domain';
import { z } from 'zod';

/** The service checks the single ids, so that it can report, and limit, malformed and unknown ids together. */
const anyIds = z
  .array(z.unknown())
  .max(MAX_MEMBERS_AT_ONCE)
  .meta({ items: { type: 'integer', minimum: 1 } });

/** The body of `PUT /selections/<id>/members`. */
export const membersSchema = z.strictObject({
  ids: anyIds.describe('Ids of the new members. Duplicates count once.'),
});

/** The value as an id. Undefined when it is no id. */
export const toId = (value: unknown): number | undefined => idSchema.safeParse(value).data;
