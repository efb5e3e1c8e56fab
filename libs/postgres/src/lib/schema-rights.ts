/** Runs one statement and returns its rows. */
export type RunQuery = <Row extends object>(text: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

const RIGHTS = `
  SELECT r.rolsuper AS "isSuperuser", n.nspname AS schema,
    EXISTS (
      SELECT FROM pg_class c
      WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p') AND pg_has_role(r.oid, c.relowner, 'MEMBER')
    ) AS "isOwner",
    has_schema_privilege(r.oid, n.oid, 'CREATE') OR has_database_privilege(r.oid, current_database(), 'CREATE')
      AS "mayCreate"
  FROM pg_roles r, pg_namespace n WHERE r.rolname = coalesce($1, current_user) AND n.nspname = current_schema()`;

interface Rights {
  readonly isSuperuser: boolean;
  readonly isOwner: boolean;
  readonly mayCreate: boolean;
  readonly schema: string;
}

/**
 * Finds out whether a role can change the schema.
 * @param role  defaults to the role of the connection
 * @returns the first reason why the role can change the schema, as the end of a sentence that begins with the role;
 *   undefined when it cannot
 */
export async function schemaRights(query: RunQuery, role?: string): Promise<string | undefined> {
  const [rights] = await query<Rights>(RIGHTS, [role ?? null]);
  if (!rights) return undefined;
  if (rights.isSuperuser) return 'is a superuser';
  if (rights.isOwner) return `owns tables of the schema ${rights.schema}`;
  return rights.mayCreate ? `may create objects in the schema ${rights.schema}` : undefined;
}
