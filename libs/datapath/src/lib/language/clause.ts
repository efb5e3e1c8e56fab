import { type ExpressionNode, type Span } from '../syntax/ast.js';
import { type SyntaxOptions } from '../syntax/collection.js';
import { tokenize } from '../syntax/tokenizer.js';
import { childrenOf } from '../syntax/visit.js';

/**
 * The smallest part of an expression whose violations do not depend on the rest of the expression. It is an expression
 * itself.
 */
export interface Clause {
  /** The text of the clause. */
  readonly text: string;
  /** The number to add to an offset in `text` to get the offset in the expression. */
  readonly shift: number;
  /** The node of the clause in the syntax tree of the whole expression. */
  readonly node: ExpressionNode;
}

/** The kinds of nodes that are conditions wherever they stand. As a value, a condition is always a boolean. */
const CONDITIONS: ReadonlySet<string> = new Set(['or', 'and', 'not', 'comparison', 'in']);
const CHAINS: ReadonlySet<string> = new Set(['or', 'and', 'not']);

/** Returns the clause that contains a part of the text. */
export function clauseAt(text: string, condition: ExpressionNode, part: Span, options: SyntaxOptions): Clause {
  const node = innermost(condition, part, true) ?? condition;
  const end = node.offset + node.length;
  const item = singleItem(node, part);
  const [before, rest] =
    item === undefined
      ? ['', text.slice(node.offset, end)]
      : [
          text.slice(node.offset, item.first),
          text.slice(item.offset, item.offset + item.length) + text.slice(end - 1, end),
        ];
  // The node of `(a OR b) == TRUE` begins after the opening parenthesis, so the parenthesis is added here.
  const opening = '('.repeat(unopened(before + rest, options));
  const shift = (item?.offset ?? node.offset) - opening.length - before.length;
  return { text: opening + before + rest, shift, node };
}

const contains = (outer: Span, inner: Span): boolean =>
  outer.offset <= inner.offset && outer.offset + outer.length >= inner.offset + inner.length;

function innermost(node: ExpressionNode, part: Span, isCondition: boolean): ExpressionNode | undefined {
  for (const child of childrenOf(node)) {
    const found = contains(child, part) ? innermost(child, part, CHAINS.has(node.kind)) : undefined;
    if (found !== undefined) return found;
  }
  return isCondition || CONDITIONS.has(node.kind) ? node : undefined;
}

/**
 * Returns the item of an IN list that contains the part, with the offset of the first item of the list. The items of a
 * list can be checked separately. The exception is `NULL IN {…}`, whose items must all have one type.
 */
function singleItem(node: ExpressionNode, part: Span): (Span & { readonly first: number }) | undefined {
  if (node.kind !== 'in' || (node.operand.kind === 'literal' && node.operand.value === null)) return undefined;
  const [first = node] = node.items;
  const item = node.items.find((one) => contains(one, part));
  return item && { offset: item.offset, length: item.length, first: first.offset };
}

/** Returns the number of closing parentheses whose opening one is missing. */
function unopened(text: string, options: SyntaxOptions): number {
  let [open, missing] = [0, 0];
  for (const { kind } of text.includes(')') ? tokenize(text, options) : []) {
    if (kind === '(') open += 1;
    if (kind === ')') open -= 1;
    missing = Math.max(missing, -open);
  }
  return missing;
}
