import { type Expression, type ExpressionNode } from './ast.js';

/** A visitor: it has one function for each kind of node that it handles. */
export type ExpressionVisitor = {
  readonly [Kind in ExpressionNode['kind']]?: (node: Extract<ExpressionNode, { kind: Kind }>) => void;
};

/**
 * Returns the nodes directly below a node, in the order of the text. They include the items of a list and the datapath
 * of CHANGED and WAS.
 */
export function childrenOf(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.kind) {
    case 'or':
    case 'and':
      return node.operands;
    case 'not':
    case 'negative':
    case 'past':
      return [node.operand];
    case 'in':
      return [node.operand, ...node.items];
    case 'comparison':
      return [node.left, node.right];
    case 'sum':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case 'call':
      return node.arguments;
    case 'literal':
    case 'date':
    case 'duration':
    case 'path':
      return [];
  }
}

/**
 * Calls the visitor for each node of an expression. A node comes before the nodes below it, in the order of the text.
 */
export function visitExpression({ condition }: Expression, visitor: ExpressionVisitor): void {
  if (condition !== null) visitNode(condition, visitor);
}

function visitNode(node: ExpressionNode, visitor: ExpressionVisitor): void {
  // The function for this kind of node accepts the node. The cast is needed, because TypeScript cannot infer this.
  (visitor[node.kind] as ((node: ExpressionNode) => void) | undefined)?.(node);
  for (const child of childrenOf(node)) visitNode(child, visitor);
}
