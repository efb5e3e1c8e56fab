import { credentials, LANGUAGES, writeSchema } from '@ats/domain';
import { z } from 'zod';
import { VERSIONS } from '../versions/versions.js';
import { SCOPES } from '../http/scopes.js';

/** The body of a new credential. Source: CONTRACT.md 2. */
export const credentialSchema = writeSchema(credentials.type).extend({
  scopes: z
    .array(
      z.string().refine((text) => SCOPES.includes(text), { error: 'expected a scope such as applications:read or *:write' }),
      { error: 'expected a list of scopes' },
    )
    .min(1, { error: 'expected at least one scope' })
    .max(SCOPES.length, { error: `expected at most ${SCOPES.length} scopes` }),
  api_version: z.enum(VERSIONS.versions, { error: `expected one of ${VERSIONS.versions.join(', ')}` }).nullable().optional(),
  language: z.enum(LANGUAGES, { error: `expected one of ${LANGUAGES.join(', ')}` }).nullable().optional(),
});
