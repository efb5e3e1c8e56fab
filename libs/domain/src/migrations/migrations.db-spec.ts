import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import { objectModel } from '../objects/object-model.js';
import { entitySchemas } from '../writing/entities.js';
import { migrations } from './index.js';

const own = useTestDatabase({ entities: entitySchemas() });

interface Column {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly is_nullable: boolean;
}

const readColumns = (): Promise<Column[]> =>
  own.database.query<Column>(
    `SELECT c.relname AS table_name, a.attname AS column_name, NOT a.attnotnull AS is_nullable,
       regexp_replace(format_type(a.atttypid, a.atttypmod), '\\([0-9,]+\\)', '') AS type
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY 1, 2`,
  );

const readConstraintNames = async (): Promise<string[]> =>
  (
    await own.database.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace
       UNION SELECT indexname FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    )
  ).map(({ name }) => name);

describe('migrations', () => {
  it('can be undone one by one and run again with the same final schema', async () => {
    const before = [await readColumns(), await readConstraintNames()];
    for (const migration of [...migrations].reverse()) {
      expect(await own.database.hasAllMigrations()).toBe(migration === migrations.at(-1));
      await own.database.dataSource.undoLastMigration();
    }
    expect((await readColumns()).filter(({ table_name }) => table_name !== 'migrations')).toEqual([]);
    await own.database.dataSource.runMigrations();
    expect([await readColumns(), await readConstraintNames()]).toEqual(before);
    expect(await own.database.hasAllMigrations()).toBe(true);
  });

  it('give every constraint and index a name with the prefix of its kind', async () => {
    const names = (await readConstraintNames()).filter(
      (name) => !/^(pk|fk|uq|ck|ix)_/.test(name) && !name.endsWith('_not_null'),
    );
    // TypeORM itself creates the table `migrations` and names its primary key `PK_<digest>`.
    expect(names.filter((name) => !/^PK_[0-9a-f]+$/.test(name))).toEqual([]);
  });
});

const POSTGRES_TYPES: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone' };

describe('entities', () => {
  it('have only columns of the schema, with the same types', async () => {
    const known = new Map(
      (await readColumns()).map(({ table_name, column_name, type }) => [`${table_name}.${column_name}`, type]),
    );
    for (const { tableName, columns } of own.database.dataSource.entityMetadatas) {
      for (const { databaseName, type, isArray } of columns) {
        const name = String(type);
        const expected = `${POSTGRES_TYPES[name] ?? name}${isArray ? '[]' : ''}`;
        expect([
          `${tableName}.${databaseName}`,
          known.get(`${tableName}.${databaseName}`)?.replace(' without time zone', ''),
        ]).toEqual([`${tableName}.${databaseName}`, expected]);
      }
    }
  });

  it('agree with the schema about nullable columns', async () => {
    const nullable = new Map(
      (await readColumns()).map(({ table_name, column_name, is_nullable }) => [
        `${table_name}.${column_name}`,
        is_nullable,
      ]),
    );
    // Where several types share a table, a column of one type is null in the rows of the others.
    const shared = new Set(['users', 'opportunities']);
    for (const { name, table, attributes } of objectModel.types) {
      if (!table) continue;
      for (const [attribute, description] of Object.entries(attributes)) {
        if (!description.column) continue;
        const column = `${table}.${description.column.name ?? attribute}`;
        if (!shared.has(table))
          expect([name, column, nullable.get(column)]).toEqual([name, column, description.nullable]);
        // A required attribute must have a value in every row. Otherwise, a collection that is sorted by the attribute
        // would leave out items.
        if (description.isRequired) expect([name, column, nullable.get(column)]).toEqual([name, column, false]);
      }
    }
  });
});
