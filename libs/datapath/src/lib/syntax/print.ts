import { type ExpressionNode } from './ast.js';
import { printPast } from './past.js';
import { printString } from './string-literal.js';

/**
 * Maps each kind of node to its precedence. An operand with a lower precedence than its position requires gets
 * parentheses.
 */
const ranks: Readonly<Record<ExpressionNode['kind'], number>> = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  in: 4,
  sum: 5,
  negative: 6,
  literal: 6,
  date: 6,
  duration: 6,
  path: 6,
  past: 6,
  call: 6,
};
const SUM = ranks.sum;
const TERM = ranks.negative;

/**
 * Prints a node in canonical form: keywords in capitals, one blank around operators, double quotes, braces around
 * lists. Parentheses are only where they are needed, and after NOT. Parsing the text gives the same tree again. The
 * exception is a text that exceeds a limit, because it can be longer and nested deeper than the parsed one.
 */
export function printNode(node: ExpressionNode): string {
  switch (node.kind) {
    case 'or':
      return node.operands.map((operand) => printOperand(operand, ranks.and)).join(' OR ');
    case 'and':
      return node.operands.map((operand) => printOperand(operand, ranks.not)).join(' AND ');
    case 'not':
      return `NOT ${node.operand.kind === 'not' ? printNode(node.operand) : printOperand(node.operand, SUM)}`;
    case 'comparison':
      return `${printOperand(node.left, SUM)} ${node.operator} ${printOperand(node.right, SUM)}`;
    case 'in': {
      const operator = node.negated ? 'NOT IN' : 'IN';
      return `${printOperand(node.operand, SUM)} ${operator} {${node.items.map(printNode).join(', ')}}`;
    }
    case 'sum':
      return node.rest.reduce(
        (text, { operator, operand }) => `${text} ${operator} ${printOperand(operand, TERM)}`,
        printOperand(node.first, TERM),
      );
    default:
      return printTerm(node);
  }
}

type Term = Extract<ExpressionNode, { kind: 'negative' | 'literal' | 'date' | 'duration' | 'path' | 'past' | 'call' }>;

function printTerm(node: Term): string {
  switch (node.kind) {
    case 'negative':
      return `-${printTerm(node.operand)}`;
    case 'literal':
      return printLiteral(node.value);
    case 'date':
      return `DATE(${printString(node.text)})`;
    case 'duration':
      return `DTDURATION(${node.arguments.join(', ')})`;
    case 'path':
      return node.path.text;
    case 'past':
      return printPast(node.call, node.operand.path.text);
    case 'call':
      return `${node.name}(${node.arguments.map((argument) => printOperand(argument, SUM)).join(', ')})`;
  }
}

function printOperand(node: ExpressionNode, rank: number): string {
  return ranks[node.kind] < rank ? `(${printNode(node)})` : printNode(node);
}

function printLiteral(value: string | number | boolean | null): string {
  if (typeof value === 'string') return printString(value);
  return typeof value === 'number' ? printNumber(value) : String(value);
}

/** Prints the shortest decimal that is parsed to the same number. The grammar has no exponents. */
function printNumber(value: number): string {
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  const sign = value < 0 ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits}`;
}
