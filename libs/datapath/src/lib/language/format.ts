import { type ExpressionNode } from '../syntax/ast.js';
import { type SyntaxOptions } from '../syntax/collection.js';
import { parseExpression } from '../syntax/parser.js';
import { printNode } from '../syntax/print.js';

const WIDTH = 80;

/**
 * Formats an expression. The result is the canonical form on one line of up to 80 characters. If it is longer, each
 * operand of the outermost AND or OR begins a new line, and so on in operands that are still too long. Formatting twice
 * gives the same text. The meaning does not change.
 * @throws {DatapathSyntaxError} when the text is not an expression
 */
export function format(text: string, options: SyntaxOptions): string {
  const { condition } = parseExpression(text, options);
  return condition === null ? '' : lines(condition, '').join('\n');
}

function lines(node: ExpressionNode, indent: string): readonly string[] {
  const flat = printNode(node);
  if (indent.length + flat.length <= WIDTH || (node.kind !== 'and' && node.kind !== 'or')) return [indent + flat];
  const operator = node.kind.toUpperCase();
  return node.operands.flatMap((operand, index) => {
    const start = index === 0 ? indent : `${indent}${operator} `;
    // An OR inside AND needs parentheses. An AND inside OR gets them only when it does not fit on one line, so that its
    // lines stay together.
    const isBroken = operand.kind !== node.kind && (operand.kind === 'and' || operand.kind === 'or');
    const one = isBroken && node.kind === 'and' ? `(${printNode(operand)})` : printNode(operand);
    if (!isBroken || start.length + one.length <= WIDTH) return [start + one];
    return [`${start}(`, ...lines(operand, `${indent}  `), `${indent})`];
  });
}
