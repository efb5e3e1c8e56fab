import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { type ColumnDescription, storedColumns } from '../vocabulary/column.js';
import { objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/**
 * Derives TypeORM's entities from the object types: one entity for each table, with the columns of all types of that
 * table. Entities have the names of tables, properties have the names of columns.
 */
export function entitySchemas(): readonly EntitySchema[] {
  const tables = new Map<string, Map<string, ColumnDescription>>();
  for (const type of objectModel.types) {
    if (!type.table) continue;
    const columns = tables.get(type.table) ?? new Map<string, ColumnDescription>();
    tables.set(type.table, columns);
    for (const [name, column] of columnsOf(type)) columns.set(name, column);
  }
  for (const { target, many, foreignKey } of objectModel.types.flatMap(({ relations }) => Object.values(relations))) {
    const table = objectModel.type(target)?.table;
    if (!many || !foreignKey || !table) continue;
    tables.get(table)?.set(foreignKey, { type: 'bigint' }).set('position', { type: 'integer' });
  }
  return [...tables].map(([name, columns]) => entitySchema(name, columns));
}

function columnsOf(type: ObjectType): [string, ColumnDescription][] {
  const own = Object.entries(type.attributes).flatMap(([name, attribute]) =>
    storedColumns(name, attribute).flatMap((stored): [string, ColumnDescription][] =>
      attribute.column ? [[stored, attribute.column]] : [],
    ),
  );
  const keys = Object.values(type.relations).flatMap(({ column }): [string, ColumnDescription][] =>
    column ? [[column, { type: 'bigint' }]] : [],
  );
  const fixed = Object.keys(type.fixed).map((name): [string, ColumnDescription] => [name, { type: 'text' }]);
  return [...own, ...keys, ...fixed, ...Object.entries(type.privateColumns)];
}

function entitySchema(table: string, columns: ReadonlyMap<string, ColumnDescription>): EntitySchema {
  const entries = [...columns]
    .filter(([name]) => name !== 'id')
    .map(([name, { type, isArray }]): [string, EntitySchemaColumnOptions] => [name, { type, array: isArray ?? false }]);
  return new EntitySchema({
    name: table,
    columns: { id: { type: 'bigint', primary: true, generated: 'increment' }, ...Object.fromEntries(entries) },
  });
}
