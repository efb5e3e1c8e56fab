import { type Expression, type ExpressionNode } from './ast.js';
import { printPast } from './past.js';

/**
 * Lists the datapaths that an expression reads, so that all their values can be fetched in one query.
 * CHANGED and WAS are listed as calls, see `readPast`.
 * @returns canonical texts without duplicates, in the order of their first use
 */
export function datapathsOf(expression: Expression): readonly string[] {
  const found = new Set<string>();
  if (expression.condition !== null) collectDatapaths(expression.condition, found);
  return [...found];
}

/** Adds the datapaths below `node` to `found`. */
export function collectDatapaths(node: ExpressionNode, found: Set<string>): void {
  switch (node.kind) {
    case 'or':
    case 'and':
      for (const operand of node.operands) collectDatapaths(operand, found);
      break;
    case 'not':
    case 'in':
      collectDatapaths(node.operand, found);
      break;
    case 'comparison':
      collectDatapaths(node.left, found);
      collectDatapaths(node.right, found);
      break;
    case 'sum':
      collectDatapaths(node.first, found);
      for (const { operand } of node.rest) collectDatapaths(operand, found);
      break;
    case 'past':
      found.add(printPast(node.call, node.operand.path.text));
      break;
    case 'path':
      found.add(node.path.text);
      break;
    default:
  }
}
