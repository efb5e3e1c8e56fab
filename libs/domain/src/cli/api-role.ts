import { type RestrictedRole } from '@ats/postgres';
// `allResources` lists a resource only after its model was imported. This import loads all models.
import '../objects/object-model.js';
import { tableOf } from '../reading/representation-sql.js';
import { allResources } from '../vocabulary/resource.js';

/** Tables in which the API may add rows, but not change or delete them. */
export const APPEND_ONLY_TABLES: readonly string[] = allResources()
  .filter(({ isAppendOnly }) => isAppendOnly)
  .map(({ type }) => tableOf(type));

/**
 * Returns the database role of the API, which `API_DATABASE_URL` names. The role may read and write all tables except
 * those in `exceptions`, which lists their privileges.
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
