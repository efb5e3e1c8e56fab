import { credentials, IMPERSONATE, LANGUAGES, type RequestedRights, writeSchema } from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { VERSIONS } from '../versions/versions.js';
import { type ValueScopes } from '../vocabulary/operation.js';
import { allScopes } from '../vocabulary/scopes.js';

/** Maximum length of a list of scopes. A longer list must repeat a scope, because fewer scopes exist. */
const MAX_SCOPES = 200;

/**
 * The schema of a scope. It is made at the first request, when all controllers are loaded and the list of scopes is
 * complete.
 */
const scopeSchema = z.lazy(() =>
  z.enum(allScopes(), { error: packed(message`expected a scope such as ${'applications:read'} or ${'*:write'}`) }),
);

/** The body of a new credential. Source: docs/reference/authentication.md, "Credentials". */
export const credentialSchema = writeSchema(credentials.type).extend({
  scopes: z.array(scopeSchema).min(1).max(MAX_SCOPES).describe('The scopes, as `GET /scopes` lists them.'),
  api_version: z.enum(VERSIONS.versions).nullable().optional(),
  language: z.enum(LANGUAGES).nullable().optional(),
});

const shape: Readonly<Record<string, z.ZodType>> = credentialSchema.shape;

/** The scope that a credential needs to act as another recruiter than its maker. */
export const RECRUITER_SCOPES: readonly ValueScopes[] = [
  {
    property: 'recruiter_id',
    values: (value, recruiterId) => typeof value === 'number' && value !== recruiterId,
    needs: IMPERSONATE,
  },
];

/**
 * Returns the rights that a body asks for. Leaves out the rights that violate the schema, because the schema reports
 * them. A scope keeps its position in the list.
 */
export function requestedRights(given: unknown): RequestedRights {
  const body = isJsonObject(given) ? given : {};
  const validOf = (name: string): unknown => shape[name]?.safeParse(body[name]).data;
  const [expiry, recruiterId, networks] = ['expires_dt', 'recruiter_id', 'allowed_cidrs'].map(validOf);
  const scopes: readonly unknown[] = Array.isArray(body['scopes']) ? body['scopes'] : [];
  return {
    scopes: scopes.map((scope) => (typeof scope === 'string' ? scope : '')),
    recruiterId: typeof recruiterId === 'number' ? recruiterId : null,
    expiresDt: typeof expiry === 'string' ? new Date(expiry) : null,
    allowedCidrs: Array.isArray(networks) ? (networks as readonly string[]) : [],
  };
}
