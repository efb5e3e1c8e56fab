import { message } from '@ats/message';
import { type ComparisonOperator, type Expression, type ExpressionNode, type ListItem, type SumTerm } from './ast.js';
import { type SyntaxOptions } from './collection.js';
import { limitsOf } from './limits.js';
import { parseDate, parseDuration, parsePast } from './parse-function.js';
import { TokenStream } from './token-stream.js';
import { type CallToken, type NumberToken, type Token } from './token.js';
import { tokenize } from './tokenizer.js';

type Node<Kind extends ExpressionNode['kind']> = Extract<ExpressionNode, { kind: Kind }>;

/**
 * Parses an expression. A blank text has the condition null, which matches everything.
 * @param options  the extensions of the host; an object model has them
 * @throws {DatapathSyntaxError} with the first violation, its position and the tokens that are allowed there
 * Source: docs/reference/expressions.md, "Grammar".
 */
export function parseExpression(text: string, options: SyntaxOptions = {}): Expression {
  const tokens = new TokenStream(text, tokenize(text, options), limitsOf(options));
  if (tokens.isAt('end')) return { source: text, condition: null };
  const condition = parseOr(tokens);
  if (!tokens.isAt('end')) throw tokens.unexpected(['AND', 'OR', 'end of text']);
  return { source: text, condition };
}

/** or : and ( "OR" and )* */
function parseOr(tokens: TokenStream): ExpressionNode {
  const first = parseAnd(tokens);
  if (!tokens.isAt('OR')) return first;
  const operands = [first];
  while (tokens.takeIf('OR')) operands.push(parseAnd(tokens));
  return chain(tokens, 'or', operands);
}

/** and : not ( "AND" not )* */
function parseAnd(tokens: TokenStream): ExpressionNode {
  const first = parseNot(tokens);
  if (!tokens.isAt('AND')) return first;
  const operands = [first];
  while (tokens.takeIf('AND')) operands.push(parseNot(tokens));
  return chain(tokens, 'and', operands);
}

/**
 * Makes a chain of operands. Operands of the same kind become a part of it: `a AND (b AND c)` is one chain of three.
 */
function chain(tokens: TokenStream, kind: 'and' | 'or', operands: readonly ExpressionNode[]): ExpressionNode {
  const isNested = operands.some((operand) => operand.kind === kind);
  const flat = isNested
    ? operands.flatMap((operand) => (operand.kind === kind ? operand.operands : [operand]))
    : operands;
  const offset = operands[0]?.offset ?? 0;
  return tokens.count({ kind, operands: flat, offset, length: tokens.endOfPrevious - offset });
}

/** not : "NOT"* relation */
function parseNot(tokens: TokenStream): ExpressionNode {
  if (!tokens.isAt('NOT')) return parseRelation(tokens);
  const offsets: number[] = [];
  while (tokens.isAt('NOT')) {
    if (offsets.length >= tokens.limits.consecutiveNots) {
      throw tokens.violation(
        'limit_exceeded',
        message`at most ${tokens.limits.consecutiveNots} NOTs may follow each other`,
      );
    }
    offsets.push(tokens.take().offset);
  }
  let node = parseRelation(tokens);
  for (const offset of offsets.reverse()) {
    node = tokens.count({ kind: 'not', operand: node, offset, length: tokens.endOfPrevious - offset });
  }
  return node;
}

/** relation : sum ( cmp sum | "NOT"? "IN" list )? */
function parseRelation(tokens: TokenStream): ExpressionNode {
  const left = parseSum(tokens);
  const { kind } = tokens.current;
  if (kind === 'IN' || kind === 'NOT') return parseMembership(tokens, left);
  if (!isComparison(kind)) return left;
  tokens.take();
  const right = parseSum(tokens);
  if (isComparison(tokens.current.kind)) {
    throw tokens.violation(
      'chained_comparison',
      message`a comparison cannot follow another comparison`,
      message`write the second comparison after AND`,
    );
  }
  const length = tokens.endOfPrevious - left.offset;
  return tokens.count({ kind: 'comparison', operator: kind, left, right, offset: left.offset, length });
}

function parseMembership(tokens: TokenStream, operand: ExpressionNode): ExpressionNode {
  const negated = tokens.takeIf('NOT');
  tokens.expect('IN');
  const items = parseList(tokens);
  const length = tokens.endOfPrevious - operand.offset;
  return tokens.count({ kind: 'in', operand, items, negated, offset: operand.offset, length });
}

/** list : "{" item ( "," item )* "}" | "(" item ( "," item )* ")" */
function parseList(tokens: TokenStream): ListItem[] {
  const isBraced = tokens.isAt('{');
  if (!isBraced && !tokens.isAt('(')) throw tokens.unexpected(['"("', '"{"']);
  const close = isBraced ? '}' : ')';
  tokens.take();
  const items = [parseItem(tokens)];
  while (tokens.takeIf(',')) {
    if (items.length >= tokens.limits.listItems) {
      throw tokens.violation('limit_exceeded', message`a list has at most ${tokens.limits.listItems} items`);
    }
    items.push(parseItem(tokens));
  }
  if (!tokens.takeIf(close)) throw tokens.unexpected(['","', `"${close}"`]);
  return items;
}

/** item : "-"? number | string | "TRUE" | "FALSE" | "NULL" | "DATE" "(" string ")" */
function parseItem(tokens: TokenStream): ListItem {
  const { current } = tokens;
  if (current.kind === '-') return parseNegativeNumber(tokens);
  if (current.kind === 'DATE') return parseDate(tokens);
  const literal = toLiteral(current);
  if (literal === undefined) throw tokens.unexpected(['number', 'string', 'TRUE', 'FALSE', 'NULL', 'DATE']);
  tokens.take();
  return literal;
}

/** sum : unary ( ( "+" | "-" ) unary )* */
function parseSum(tokens: TokenStream): ExpressionNode {
  const first = parseUnary(tokens);
  const rest: SumTerm[] = [];
  for (;;) {
    const operator = tokens.current.kind;
    if (operator !== '+' && operator !== '-') break;
    tokens.take();
    rest.push({ operator, operand: parseUnary(tokens) });
  }
  if (rest.length === 0) return first;
  return tokens.count({ kind: 'sum', first, rest, offset: first.offset, length: tokens.endOfPrevious - first.offset });
}

/** unary : "-"? primary ; the minus is allowed only before a number or DTDURATION */
function parseUnary(tokens: TokenStream): ExpressionNode {
  if (!tokens.isAt('-')) return parsePrimary(tokens);
  if (tokens.next.kind !== 'DTDURATION') return tokens.count(parseNegativeNumber(tokens));
  const { offset } = tokens.take();
  const operand = tokens.count(parseDuration(tokens));
  return tokens.count({ kind: 'negative', operand, offset, length: tokens.endOfPrevious - offset });
}

function parseNegativeNumber(tokens: TokenStream): Node<'literal'> {
  const { offset } = tokens.take();
  if (tokens.current.kind !== 'number') throw tokens.unexpected(['number']);
  const { value } = tokens.take() as NumberToken;
  return { kind: 'literal', value: value === 0 ? 0 : -value, offset, length: tokens.endOfPrevious - offset };
}

/** primary : literal | call | path | "(" or ")" */
function parsePrimary(tokens: TokenStream): ExpressionNode {
  const { current } = tokens;
  switch (current.kind) {
    case 'path':
      tokens.take();
      tokens.countPath(current.path.text);
      return tokens.count({ kind: 'path', path: current.path, offset: current.offset, length: current.length });
    case 'DATE':
      return tokens.count(parseDate(tokens));
    case 'DTDURATION':
      return tokens.count(parseDuration(tokens));
    case 'CHANGED':
    case 'WAS':
      return parsePast(tokens, current.kind);
    case 'call':
      return parseCall(tokens, current);
    case '(':
      return parseParentheses(tokens);
    default: {
      const literal = toLiteral(current);
      if (literal === undefined)
        throw tokens.unexpected(['datapath', 'number', 'string', 'TRUE', 'FALSE', 'NULL', 'DATE', '"("']);
      tokens.take();
      return tokens.count(literal);
    }
  }
}

/** call : name "(" ( sum ( "," sum )* )? ")" ; a function of the host has a fixed number of arguments */
function parseCall(tokens: TokenStream, { called, offset }: CallToken): ExpressionNode {
  tokens.take();
  tokens.enterParentheses();
  const given = called.parameters.map((_, index) => {
    if (index > 0) tokens.expect(',');
    return parseSum(tokens);
  });
  tokens.expect(')');
  tokens.leaveParentheses();
  const length = tokens.endOfPrevious - offset;
  return tokens.count({ kind: 'call', name: called.name, arguments: given, offset, length });
}

function parseParentheses(tokens: TokenStream): ExpressionNode {
  tokens.enterParentheses();
  const inner = parseOr(tokens);
  if (!tokens.takeIf(')')) throw tokens.unexpected(['")"']);
  tokens.leaveParentheses();
  return inner;
}

function toLiteral(token: Token): Node<'literal'> | undefined {
  const { offset, length } = token;
  switch (token.kind) {
    case 'number':
    case 'string':
      return { kind: 'literal', value: token.value, offset, length };
    case 'TRUE':
      return { kind: 'literal', value: true, offset, length };
    case 'FALSE':
      return { kind: 'literal', value: false, offset, length };
    case 'NULL':
      return { kind: 'literal', value: null, offset, length };
    default:
      return undefined;
  }
}

const comparisons: ReadonlySet<string> = new Set<ComparisonOperator>(['==', '!=', '<', '<=', '>', '>=', '=~', '!~']);

function isComparison(kind: string): kind is ComparisonOperator {
  return comparisons.has(kind);
}
