import { credentials, LANGUAGES, writeSchema } from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { VERSIONS } from '../versions/versions.js';
import { SCOPES } from '../vocabulary/scopes.js';

/** The body of a new credential. Source: docs/reference/authentication.md, "Credentials". */
export const credentialSchema = writeSchema(credentials.type).extend({
  scopes: z
    .array(
      z.string().refine((text) => SCOPES.includes(text), {
        error: packed(message`expected a scope such as ${'applications:read'} or ${'*:write'}`),
      }),
    )
    .min(1)
    .max(SCOPES.length),
  api_version: z.enum(VERSIONS.versions).nullable().optional(),
  language: z.enum(LANGUAGES).nullable().optional(),
});
