import { type Expression, type ExpressionNode } from './ast.js';

/**
 * The datapaths that an expression needs: canonical texts, each once, in the order of the text. Whoever evaluates it
 * fetches exactly these, in one query.
 */
export function datapathsOf(expression: Expression): readonly string[] {
  const found = new Set<string>();
  if (expression.condition !== null) collect(expression.condition, found);
  return [...found];
}

/** Adds the datapaths below one node. */
export function collect(node: ExpressionNode, found: Set<string>): void {
  switch (node.kind) {
    case 'or':
    case 'and':
      for (const operand of node.operands) collect(operand, found);
      break;
    case 'not':
    case 'in':
      collect(node.operand, found);
      break;
    case 'comparison':
      collect(node.left, found);
      collect(node.right, found);
      break;
    case 'sum':
      collect(node.first, found);
      for (const { operand } of node.rest) collect(operand, found);
      break;
    case 'path':
      found.add(node.path.text);
      break;
    default:
  }
}
