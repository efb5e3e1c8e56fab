import { type Node } from 'libpg-query';
import { type Violation } from './violation.js';
import { type Schema } from './schema.js';

interface Write {
  readonly relation?: { readonly relname?: string };
  readonly whereClause?: Node;
}

/**
 * Rows of existing tables must be changed by a key or in batches. A statement that changes all rows locks them until it
 * ends.
 */
export function checkWrite(verb: 'UPDATE' | 'DELETE', { relation, whereClause }: Write, schema: Schema): Violation[] {
  if (!schema.has(relation?.relname) || (whereClause && (namesRows(whereClause) || isBatch(whereClause)))) return [];
  const because =
    `${verb} of ${relation?.relname} without an equality that names its rows: change them in batches ` +
    '(`id IN (SELECT … LIMIT 1000)`), in a migration with `transaction = false`';
  return [{ kind: 'locks', because }];
}

/** True for a condition `<column> = <value>`, also when AND joins it to other conditions. */
function namesRows(condition: Node): boolean {
  if ('BoolExpr' in condition)
    return condition.BoolExpr.boolop === 'AND_EXPR' && (condition.BoolExpr.args ?? []).some(namesRows);
  if (!('A_Expr' in condition)) return false;
  const { name, rexpr } = condition.A_Expr;
  const operator = name?.[0];
  return (
    operator !== undefined &&
    'String' in operator &&
    operator.String.sval === '=' &&
    rexpr !== undefined &&
    ('A_Const' in rexpr || 'ParamRef' in rexpr)
  );
}

const isBatch = (condition: Node): boolean =>
  'SubLink' in condition &&
  condition.SubLink.subselect !== undefined &&
  'SelectStmt' in condition.SubLink.subselect &&
  condition.SubLink.subselect.SelectStmt.limitCount !== undefined;
