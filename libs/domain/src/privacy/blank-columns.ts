import { runStatement, type Transaction } from '@ats/postgres';
import { tableOf } from '../reading/representation-sql.js';
import { storedColumns } from '../vocabulary/column.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/**
 * Removes the values of the personal columns of rows. A column gets the given replacement if there is one, else an
 * empty list or null.
 */
export async function blankColumns(
  transaction: Transaction,
  type: ObjectType,
  { column: keyColumn, values: keys }: { readonly column: string; readonly values: readonly number[] },
  replacements: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = Object.entries(type.attributes).filter(([, { personal, column }]) => personal && column);
  const parameters: unknown[] = [keys];
  const assignments = columns.flatMap(([name, attribute]) => {
    const stored = storedColumns(name, attribute);
    if (attribute.many) return stored.map((column) => `${column} = '{}'`);
    if (attribute.nullable) return stored.map((column) => `${column} = NULL`);
    const value = replacements[name];
    if (value === undefined)
      throw new Error(`anonymising needs a replacement for ${type.name}.${name}, because the column cannot be null`);
    const parameter = `$${parameters.push(value)}`;
    return stored.map((column) => `${column} = ${parameter}`);
  });
  await runStatement(
    transaction,
    `UPDATE ${tableOf(type)} SET ${assignments.join(', ')} WHERE ${keyColumn} = ANY($1)`,
    parameters,
  );
}
