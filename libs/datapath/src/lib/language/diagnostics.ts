import { type Message, message } from '@ats/message';
import { checkExpression, findViolations } from '../checking/check.js';
import { type ObjectModel } from '../checking/model.js';
import { nearestValues } from '../checking/suggest.js';
import { type Expression, type ExpressionNode } from '../syntax/ast.js';
import { datapathsOf } from '../syntax/datapaths-of.js';
import { DatapathError, type DatapathViolation } from '../syntax/errors.js';
import { limitsOf } from '../syntax/limits.js';
import { parseExpression } from '../syntax/parser.js';
import { printString } from '../syntax/string-literal.js';
import { type Token } from '../syntax/token.js';
import { tokenize } from '../syntax/tokenizer.js';
import { childrenOf } from '../syntax/visit.js';
import { clauseAt } from './clause.js';
import { type LanguageModel } from './language-model.js';

/** An edit that replaces a part of a text. Positions are in UTF-16 units. */
export interface TextEdit {
  /** The offset of the replaced text. */
  readonly offset: number;
  /** The length of the replaced text. */
  readonly length: number;
  /** The text that replaces the old text. */
  readonly text: string;
}

/** A change that removes a violation. */
export interface Fix {
  /** A title for people that says what the fix does. */
  readonly title: Message;
  /** The edit of the text. */
  readonly edit: TextEdit;
}

/** Returns the violations of an expression, in the order of the text. Empty for a correct expression. */
export function diagnose(text: string, model: LanguageModel, roots: readonly string[]): readonly DatapathViolation[] {
  try {
    checkExpression(parseExpression(text, model), model, roots, model);
    return [];
  } catch (error) {
    if (error instanceof DatapathError) return error.violations;
    throw error;
  }
}

/**
 * Returns changes that remove a violation, the most likely first. Each change was tried, and the violation disappears.
 * In a text that can be parsed, no other violation appears. In any other text, the parser may stop later at the next
 * violation.
 * @param parsed the syntax tree of the text; undefined when the text cannot be parsed. With a tree, only the clause
 *   around the violation is checked again, so the changes for all violations cost about as much as one diagnosis
 */
export function fixesOf(
  text: string,
  violation: DatapathViolation,
  { model, roots, parsed }: FixOptions,
): readonly Fix[] {
  const edits =
    parsed === undefined ? syntaxEdits(text, violation, model) : checkedEdits(parsed, violation, { model, roots });
  return edits.map((edit) => ({ title: message`write ${edit.text}`, edit }));
}

interface FixOptions {
  readonly model: LanguageModel;
  readonly roots: readonly string[];
  readonly parsed: Expression | undefined;
}

export const apply = (text: string, { offset, length, text: inserted }: TextEdit): string =>
  text.slice(0, offset) + inserted + text.slice(offset + length);

/** Parses a text. Returns undefined when it is not an expression. */
export function parsedOf(text: string, model: ObjectModel): Expression | undefined {
  const parsed = parse(text, model);
  return 'code' in parsed ? undefined : parsed;
}

function parse(text: string, model: ObjectModel): Expression | DatapathViolation {
  try {
    return parseExpression(text, model);
  } catch (error) {
    if (error instanceof DatapathError) return error.violations[0];
    throw error;
  }
}

/** Returns the edits after which the text can be parsed, or parsed further than before. */
function syntaxEdits(text: string, violation: DatapathViolation, model: ObjectModel): readonly TextEdit[] {
  return candidates(text, violation, tokensOf(text, model)).filter((edit) => {
    const after = parse(apply(text, edit), model);
    return !('code' in after) || after.offset > violation.offset;
  });
}

/** Returns the edits after which the clause around the violation has fewer violations than before. */
function checkedEdits(
  expression: Expression,
  violation: DatapathViolation,
  { model, roots }: Pick<FixOptions, 'model' | 'roots'>,
): readonly TextEdit[] {
  const { source, condition } = expression;
  if (condition === null) return [];
  const clause = clauseAt(source, condition, violation, model);
  const offset = violation.offset - clause.shift;
  const count = (parsed: Expression) => findViolations(parsed, model, roots, model);
  const before = parse(clause.text, model);
  if ('code' in before) return [];
  const violations = count(before).length;
  return candidates(clause.text, { ...violation, offset }, tokensOf(clause.text, model), before.condition)
    .filter((edit) => {
      const after = parse(apply(clause.text, edit), model);
      if ('code' in after || after.condition?.kind !== before.condition?.kind) return false;
      const left = count(after);
      const isSame = left.some((one) => one.code === violation.code && one.offset === offset);
      return !isSame && left.length < violations;
    })
    .map((edit) => ({ ...edit, offset: edit.offset + clause.shift }))
    .filter((edit) => isWithinLimits(expression, edit, model));
}

/** Checks the limits of the whole text after an edit. Only its length and the number of its datapaths can change. */
function isWithinLimits(expression: Expression, edit: TextEdit, model: ObjectModel): boolean {
  const { textLength, distinctPaths } = limitsOf(model);
  const { source } = expression;
  if (source.length + edit.text.length - edit.length > textLength) return false;
  return datapathsOf(expression).length < distinctPaths || parsedOf(apply(source, edit), model) !== undefined;
}

/**
 * Returns edits that may correct a violation. They insert the texts that the hint of the violation names. For a value
 * outside a closed list, they insert the most similar values of the list.
 */
function candidates(
  text: string,
  { code, offset, length, hint, expected }: Pick<DatapathViolation, 'code' | 'offset' | 'length' | 'hint' | 'expected'>,
  all: readonly Token[],
  node: ExpressionNode | null = null,
): readonly TextEdit[] {
  const at = { offset, length };
  const given = text.slice(offset, offset + length);
  if (code === 'unlisted_value')
    return nearestValues(given.slice(1, -1), expected).map((value) => ({ ...at, text: printString(value) }));
  const texts = hint?.values.filter((value): value is string => typeof value === 'string') ?? [];
  const tokens = all.filter((token) => token.offset < offset + length && token.offset + token.length > offset);
  const replacing = (isMeant: (instead: string) => (token: Token) => boolean): readonly TextEdit[] =>
    texts.flatMap((instead) =>
      tokens.filter(isMeant(instead)).map((token) => ({ offset: token.offset, length: token.length, text: instead })),
    );
  if (code === 'type_mismatch') {
    const operands = new Set((node ? childrenOf(node) : []).map((operand) => operand.offset));
    return replacing((instead) => (token) => operands.has(token.offset) && isLiteralOf(instead)(token));
  }
  if (code === 'operator_not_allowed') {
    if (node?.kind !== 'comparison') return [];
    const from = node.left.offset + node.left.length;
    return replacing(
      () => (token) => token.offset >= from && token.offset < node.right.offset && ORDER.has(token.kind),
    );
  }
  // A hint does not say whether its text replaces one name or the whole datapath. So both replacements are tried.
  const path = tokens.find(({ kind }) => kind === 'path') ?? at;
  const edits = texts
    .map((instead) => instead.replace(/^"(.*)"$/, '$1'))
    .flatMap((instead) => [
      { ...at, text: instead },
      { offset: path.offset, length: path.length, text: instead },
    ]);
  return edits.filter((edit, index) => edits.findIndex((other) => isEqual(edit, other)) === index);
}

const isEqual = (left: TextEdit, right: TextEdit): boolean =>
  left.offset === right.offset && left.length === right.length && left.text === right.text;

const ORDER: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** True for a token with the value of a literal in another notation, such as `"42"` for `42`. */
const isLiteralOf =
  (instead: string) =>
  (token: Token): boolean =>
    (token.kind === 'string' && token.value.toLowerCase() === instead) ||
    (token.kind === 'number' && `"${String(token.value)}"` === instead);

function tokensOf(text: string, model: ObjectModel): readonly Token[] {
  try {
    return tokenize(text, model);
  } catch {
    return [];
  }
}
