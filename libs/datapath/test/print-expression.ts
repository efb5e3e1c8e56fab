import { type Expression } from '../src/lib/syntax/ast.js';
import { printNode } from '../src/lib/syntax/print.js';

/** Returns the canonical text of a whole expression. */
export const printExpression = ({ condition }: Expression): string => (condition === null ? '' : printNode(condition));
