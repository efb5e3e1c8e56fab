import { type Node } from 'libpg-query';
import { type Fault } from './fault.js';
import { type Schema } from './schema.js';

interface Write {
  readonly relation?: { readonly relname?: string };
  readonly whereClause?: Node;
}

/** Rows of old tables are changed by name or in batches: all of them at once are locked for as long as that takes. */
export function judgeWrite(verb: 'UPDATE' | 'DELETE', { relation, whereClause }: Write, schema: Schema): Fault[] {
  if (!schema.has(relation?.relname) || (whereClause && (namesRows(whereClause) || isBatch(whereClause)))) return [];
  const because = `${verb} of ${relation?.relname} without an equality that names its rows: in batches (\`id IN (SELECT … LIMIT 1000)\`), in a migration with \`transaction = false\``;
  return [{ kind: 'locks', because }];
}

/** `<what is stored> = <value>`, beside any other conditions. */
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
