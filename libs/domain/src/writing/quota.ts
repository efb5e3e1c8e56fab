import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { tableOf } from '../reading/representation-sql.js';
import { type Resource } from '../vocabulary/resource.js';
import { ValidationError } from '../vocabulary/validation-error.js';

/**
 * Checks that one more item of a resource may be stored. Concurrent requests do not see each other's items, so each of
 * them can exceed the quota by one item.
 * @param columns  the values of the row by column name; it needs every column that the quotas of the resource compare
 * @param changed  names of the columns that change in an existing row: only the quotas that compare one of them are
 *   checked. Leave it out for a new row, for which all quotas are checked
 * @throws {ValidationError} `quota_exceeded` when the resource has as many items as a quota allows
 * Source: docs/reference/limits.md, "Quotas".
 */
export async function checkQuotas(
  transaction: Transaction,
  { name, type, quotas = [] }: Resource,
  columns: Readonly<Record<string, unknown>> = {},
  changed?: readonly string[],
): Promise<void> {
  for (const { most, per = [], where = 'true' } of quotas) {
    if (changed && !changed.some((column) => per.includes(column))) continue;
    const conditions = [where, ...per.map((column, index) => `${column} = $${index + 1}`)].join(' AND ');
    const rows = await runStatement(
      transaction,
      `SELECT 1 AS one FROM ${tableOf(type)} WHERE ${conditions} OFFSET ${most - 1} LIMIT 1`,
      per.map((column) => columns[column]),
    );
    if (rows.length === 0) continue;
    const info =
      per.length > 0
        ? message`at most ${most} ${name} may have the same ${per}: delete one that is no longer used`
        : message`at most ${most} ${name} may exist: delete one that is no longer used`;
    throw new ValidationError(name, [{ path: '', code: 'quota_exceeded', info }]);
  }
}
