import { type RestrictedRole } from '@ats/postgres';
// Loads all resources.
import '../objects/object-model.js';
import { tableOf } from '../reading/representation-sql.js';
import { allResources } from '../vocabulary/resource.js';

/** Tables to which the API only adds rows. It neither changes nor deletes their rows. */
export const APPEND_ONLY_TABLES: readonly string[] = allResources()
  .filter(({ isAppendOnly }) => isAppendOnly)
  .map(({ type }) => tableOf(type));

/**
 * The database role of the API, as `API_DATABASE_URL` names it. All tables that are not listed here can be read and
 * written.
 * Source: docs/reference/database.md, "Roles".
 */
export function apiRole(apiDatabaseUrl: string): RestrictedRole {
  const { username, password } = new URL(apiDatabaseUrl);
  return {
    name: decodeURIComponent(username),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    exceptions: {
      migrations: ['SELECT'],
      ...Object.fromEntries(APPEND_ONLY_TABLES.map((table) => [table, ['SELECT', 'INSERT'] as const])),
    },
  };
}
