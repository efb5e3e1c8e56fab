import { type Expression, type ExpressionNode } from './ast.js';
import { printPast } from './past.js';
import { childrenOf } from './visit.js';

/**
 * Lists the datapaths that an expression reads, so that one query can fetch all their values. CHANGED and WAS are
 * listed as calls, see `readPast`.
 * @returns canonical texts without duplicates, in the order of their first use
 */
export function datapathsOf(expression: Expression): readonly string[] {
  const found = new Set<string>();
  if (expression.condition !== null) collectDatapaths(expression.condition, found);
  return [...found];
}

/** Adds the datapaths below `node` to `found`. */
export function collectDatapaths(node: ExpressionNode, found: Set<string>): void {
  if (node.kind === 'path') found.add(node.path.text);
  else if (node.kind === 'past') found.add(printPast(node.call, node.operand.path.text));
  else for (const child of childrenOf(node)) collectDatapaths(child, found);
}
