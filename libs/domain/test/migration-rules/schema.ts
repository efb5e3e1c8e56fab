import { type DropStmt, type Node } from 'libpg-query';
import { type Database } from '@ats/postgres';

/** The schema of the previous release. */
export class Schema {
  readonly #cleared = new Set<string>();

  /**
   * @param names    names of tables, indexes, functions and triggers
   * @param columns  columns as `table.column`
   */
  constructor(
    private readonly names: ReadonlySet<string>,
    private readonly columns: ReadonlySet<string>,
  ) {}

  /** Reads the schema of a database that has the previous release's migrations. */
  static async read(database: Database): Promise<Schema> {
    const names = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       UNION SELECT tgname FROM pg_trigger`,
    );
    const columns = await database.query<{ name: string }>(
      `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped`,
    );
    return new Schema(new Set(names.map(({ name }) => name)), new Set(columns.map(({ name }) => name)));
  }

  /** True when the previous release has an object of this name. */
  has(name: string | undefined): boolean {
    return this.names.has(name ?? '');
  }

  hasColumn(table: string | undefined, column: string | undefined): boolean {
    return this.columns.has(`${table}.${column}`);
  }

  /**
   * Records the indexes that a statement drops. A migration may create an index after it has dropped it, in case an
   * interrupted attempt has left an invalid index.
   */
  record(statement: Node): void {
    if (!('DropStmt' in statement) || statement.DropStmt.removeType !== 'OBJECT_INDEX') return;
    for (const name of droppedNames(statement.DropStmt)) this.#cleared.add(name);
  }

  isCleared(index: string | undefined): boolean {
    return this.#cleared.has(index ?? '');
  }
}

/** Returns the names that a statement drops, without their schema. */
export function droppedNames({ objects = [] }: DropStmt): string[] {
  return objects.flatMap((node) => {
    const last = 'List' in node ? node.List.items?.at(-1) : node;
    return last && 'String' in last ? [last.String.sval ?? ''] : [];
  });
}
