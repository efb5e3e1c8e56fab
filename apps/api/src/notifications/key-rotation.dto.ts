import { integerSchema, KEY_OVERLAP_SECONDS } from '@ats/domain';
import { z } from 'zod';
import { parseBody } from '../request/body.js';

const rotationSchema = z.strictObject({
  overlap_s: integerSchema(0, KEY_OVERLAP_SECONDS.maximum)
    .default(KEY_OVERLAP_SECONDS.default)
    .describe('Seconds until the new key replaces the old one. 0 replaces it at once.'),
});

/** The body of a request that rotates a key. Source: docs/reference/signing.md, "Key rotation". */
export const ROTATION_BODY = {
  name: 'notification_key_rotation',
  schema: rotationSchema,
  example: { overlap_s: 86_400 },
  isOptional: true,
} as const;

/**
 * Returns the overlap in seconds that a body asks for.
 * @param resource  name of the collection, as the violations show it
 * @throws {ValidationError} with all violations of the schema
 */
export const parseOverlap = (resource: string, given: unknown): number =>
  parseBody(resource, rotationSchema, given === undefined ? {} : given).overlap_s;

/** Describes the routes that rotate a key, for the reference. */
export const ROTATION_TEXT = `Creates a new key, which replaces the old one after an overlap of \`overlap_s\` seconds. The overlap
defaults to a day. During the overlap, \`next_signing_key\` and \`next_key_from_dt\` show the new key and its start, and
messages carry both signatures:

- \`x-service-notify-signature\` uses the old key.
- \`x-service-notify-signature-next\` uses the new key.
- \`webhook-signature\` has one signature for each key.`;
export const SECOND_ROTATION_TEXT = `Another request during the overlap replaces the new key. \`"overlap_s": 0\` removes the old key at once; use it when the
key was exposed.`;
