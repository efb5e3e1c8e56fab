import { idSchema, MAX_MEMBERS_AT_ONCE } from '@ats/domain';
import { z } from 'zod';

/** Accepts any elements. The service checks the ids, so that one answer reports both malformed and unknown ids. */
const anyIds = z
  .array(z.unknown())
  .max(MAX_MEMBERS_AT_ONCE)
  .meta({ items: { type: 'integer', minimum: 1 } });

/** The body of `PUT /selections/<id>/members`. */
export const membersSchema = z.strictObject({
  ids: anyIds.describe('Ids of the new members. Duplicates count once.'),
});

/** Returns a value that is an id, otherwise undefined. */
export const toId = (value: unknown): number | undefined => idSchema.safeParse(value).data;
