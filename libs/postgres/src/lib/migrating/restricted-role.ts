import { type RunQuery, schemaRights } from '../schema-rights.js';
import { MigrationRefusedError } from './migration-refused-error.js';
import { scramVerifier } from './scram-verifier.js';

export type TablePrivilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

/** A role that may use the tables of the schema but not change the schema. */
export interface RestrictedRole {
  readonly name: string;
  /**
   * The password of the role, in printable ASCII. It is used to create a role that does not exist. Without a password,
   * the role must exist.
   */
  readonly password?: string | undefined;
  /** Maps table names to the privileges of the role. Absent tables have SELECT, INSERT, UPDATE and DELETE. */
  readonly exceptions: Readonly<Record<string, readonly TablePrivilege[]>>;
}

const ALL: readonly TablePrivilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/**
 * Gives a role exactly its privileges on the current schema and its tables, views and sequences. Creates a missing
 * role. A second run changes nothing. The role gets no privileges on partitions: PostgreSQL checks only the privileges
 * on the partitioned table, so partitions that are created later need no grant.
 * @throws {MigrationRefusedError} when the role is missing and cannot be created
 * Source: docs/reference/database.md, "Roles".
 */
export async function grantToRole(query: RunQuery, role: RestrictedRole, say: (line: string) => void): Promise<void> {
  const { isOwn, quoted } = await ensureRole(query, role, say);
  if (!isOwn) {
    const changes = [...(await changesOfSchema(query, role.name)), ...(await changesOfObjects(query, role))];
    for (const { revoke, grant, on } of changes) {
      if (revoke !== undefined) await query(`REVOKE ${revoke} ON ${on} FROM ${quoted} CASCADE`);
      if (grant !== undefined) await query(`GRANT ${grant} ON ${on} TO ${quoted}`);
    }
    if (changes.length > 0)
      say(
        `set the privileges of the role ${role.name} on ${changes.length} ${changes.length === 1 ? 'object' : 'objects'}`,
      );
  }
  const excess = await schemaRights(query, role.name);
  if (excess !== undefined) say(`warning: the role ${role.name} can change the schema: it ${excess}`);
}

async function ensureRole(
  query: RunQuery,
  { name, password }: RestrictedRole,
  say: (line: string) => void,
): Promise<{ readonly isOwn: boolean; readonly quoted: string }> {
  const [found] = await query<{ quoted: string; exists: boolean; isOwn: boolean; mayCreate: boolean }>(
    `SELECT quote_ident($1::text) AS quoted, EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists,
       rolname = $1 AS "isOwn", rolsuper OR rolcreaterole AS "mayCreate"
     FROM pg_roles WHERE rolname = current_user`,
    [name],
  );
  if (!found) throw new Error('the role of this connection is missing in pg_roles');
  if (found.exists) return found;
  const statement = `CREATE ROLE ${found.quoted} LOGIN PASSWORD`;
  if (!found.mayCreate || password === undefined)
    throw new MigrationRefusedError(
      `the role ${name} does not exist, and migrate may not create it. As an administrator, run: ${statement} '...'`,
    );
  await query(`${statement} '${scramVerifier(password)}'`);
  say(`created the role ${name}`);
  return found;
}

/** The privileges to revoke on one object, and the privileges to grant after that. */
interface Change {
  /** The object of the grant in SQL, such as `TABLE users`. */
  readonly on: string;
  readonly revoke?: string;
  readonly grant?: string;
}

async function changesOfSchema(query: RunQuery, role: string): Promise<readonly Change[]> {
  const [found] = await query<{ schema: string; database: string; connect: boolean; usage: boolean; create: boolean }>(
    `SELECT quote_ident(n.nspname) AS schema, quote_ident(current_database()) AS database,
       has_database_privilege($1, current_database(), 'CONNECT') AS connect,
       has_schema_privilege($1, n.oid, 'USAGE') AS usage,
       EXISTS (
         SELECT FROM aclexplode(n.nspacl) a JOIN pg_roles r ON r.oid = a.grantee
         WHERE r.rolname = $1 AND a.privilege_type = 'CREATE'
       ) AS create
     FROM pg_namespace n WHERE n.nspname = current_schema()`,
    [role],
  );
  if (!found)
    throw new MigrationRefusedError('no schema of the search path exists: set search_path to a schema that exists');
  return [
    ...(found.connect ? [] : [{ on: `DATABASE ${found.database}`, grant: 'CONNECT' }]),
    ...(found.usage ? [] : [{ on: `SCHEMA ${found.schema}`, grant: 'USAGE' }]),
    ...(found.create ? [{ on: `SCHEMA ${found.schema}`, revoke: 'CREATE' }] : []),
  ];
}

interface FoundObject {
  /** The name as SQL needs it: with the schema and in quotes where necessary. */
  readonly sql: string;
  readonly name: string;
  readonly kind: 'table' | 'view' | 'sequence' | 'partition';
  /** The granted privileges, sorted. A `*` at the end of a privilege says that the role may grant it to others. */
  readonly granted: readonly string[];
  readonly hasColumnGrants: boolean;
}

/**
 * SQL for the objects of the schema on which this connection may grant privileges. Objects of other owners and of
 * extensions are left out.
 */
const OBJECTS = `
  SELECT c.oid::regclass::text AS sql, c.relname AS name,
    CASE WHEN c.relispartition THEN 'partition' WHEN c.relkind = 'S' THEN 'sequence'
      WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind,
    array(
      SELECT a.privilege_type || CASE WHEN a.is_grantable THEN '*' ELSE '' END
      FROM aclexplode(c.relacl) a WHERE a.grantee = r.oid ORDER BY 1
    ) AS granted,
    EXISTS (
      SELECT FROM pg_attribute t, aclexplode(t.attacl) a WHERE t.attrelid = c.oid AND a.grantee = r.oid
    ) AS "hasColumnGrants"
  FROM pg_class c JOIN pg_roles r ON r.rolname = $1
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND pg_has_role(c.relowner, 'USAGE')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
  ORDER BY c.relname`;

async function changesOfObjects(
  query: RunQuery,
  { name: role, exceptions }: RestrictedRole,
): Promise<readonly Change[]> {
  const privilegesOf = ({ kind, name }: FoundObject): readonly string[] => {
    if (kind === 'partition') return [];
    if (kind === 'sequence') return ['USAGE'];
    return kind === 'view' ? ['SELECT'] : (exceptions[name] ?? ALL);
  };
  return (await query<FoundObject>(OBJECTS, [role])).flatMap((object) => {
    const { sql, granted, hasColumnGrants } = object;
    const wanted = privilegesOf(object).toSorted();
    if (!hasColumnGrants && granted.join() === wanted.join()) return [];
    return {
      on: `${object.kind === 'sequence' ? 'SEQUENCE' : 'TABLE'} ${sql}`,
      ...((granted.length > 0 || hasColumnGrants) && { revoke: 'ALL' }),
      ...(wanted.length > 0 && { grant: wanted.join(', ') }),
    };
  });
}
