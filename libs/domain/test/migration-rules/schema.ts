import { type DropStmt, type Node } from 'libpg-query';
import { type Database } from '@ats/postgres';

/** What the release before has. */
export class Schema {
  readonly #cleared = new Set<string>();

  /** @param names of tables, indexes, functions, triggers and the like @param columns as `table.column` */
  constructor(
    private readonly names: ReadonlySet<string>,
    private readonly columns: ReadonlySet<string>,
  ) {}

  /** That of a database which is at that release. */
  static async read(database: Database): Promise<Schema> {
    const names = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace UNION SELECT tgname FROM pg_trigger`,
    );
    const columns = await database.query<{ name: string }>(
      `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped`,
    );
    return new Schema(new Set(names.map(({ name }) => name)), new Set(columns.map(({ name }) => name)));
  }

  /** Whether the release before works with it. */
  has(name: string | undefined): boolean {
    return this.names.has(name ?? '');
  }

  hasColumn(table: string | undefined, column: string | undefined): boolean {
    return this.columns.has(`${table}.${column}`);
  }

  /** Notes which indexes a statement has cleared away, should an interruption have left them. */
  note(statement: Node): void {
    if (!('DropStmt' in statement) || statement.DropStmt.removeType !== 'OBJECT_INDEX') return;
    for (const name of droppedNames(statement.DropStmt)) this.#cleared.add(name);
  }

  isCleared(index: string | undefined): boolean {
    return this.#cleared.has(index ?? '');
  }
}

/** The last part of each name. */
export function droppedNames({ objects = [] }: DropStmt): string[] {
  return objects.flatMap((node) => {
    const last = 'List' in node ? node.List.items?.at(-1) : node;
    return last && 'String' in last ? [last.String.sval ?? ''] : [];
  });
}
