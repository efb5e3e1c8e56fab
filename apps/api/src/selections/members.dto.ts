import { idSchema, MAX_MEMBERS_AT_ONCE } from '@ats/domain';
import { z } from 'zod';

/** Each id is checked beside the others that are no items, so that their faults can be told, and cut, together. */
const anyIds = z
  .array(z.unknown())
  .max(MAX_MEMBERS_AT_ONCE)
  .meta({ items: { type: 'integer', minimum: 1 } });

/** The body of `PUT /selections/<id>/members`. */
export const membersSchema = z.strictObject({
  ids: anyIds.describe('The members from now on; one that is named twice is one member.'),
});

/** One of the ids, or undefined when it cannot be one. */
export const toId = (value: unknown): number | undefined => idSchema.safeParse(value).data;
