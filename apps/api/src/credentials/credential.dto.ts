import { credentials, LANGUAGES, writeSchema } from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { VERSIONS } from '../versions/versions.js';
import { allScopes } from '../vocabulary/scopes.js';

/** More than there are scopes. */
const MAX_SCOPES = 200;

/** Evaluated at the first request, because the scopes are complete when all controllers are loaded. */
const scopeSchema = z.lazy(() =>
  z.enum(allScopes(), { error: packed(message`expected a scope such as ${'applications:read'} or ${'*:write'}`) }),
);

/** The body of a new credential. Source: docs/reference/authentication.md, "Credentials". */
export const credentialSchema = writeSchema(credentials.type).extend({
  scopes: z.array(scopeSchema).min(1).max(MAX_SCOPES).describe('The scopes, as `GET /scopes` lists them.'),
  api_version: z.enum(VERSIONS.versions).nullable().optional(),
  language: z.enum(LANGUAGES).nullable().optional(),
});
