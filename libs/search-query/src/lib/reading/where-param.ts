import {
  type CheckedExpression,
  type CheckedTree,
  checkExpression,
  createViolation,
  DatapathError,
  type ExpressionVisitor,
  isConstantOperand,
  parseExpression,
  type SyntaxTree,
  violationMessage,
  visitExpression,
} from '@ats/datapath';
import { message } from '@ats/message';
import { type ExpressionCondition } from '../model/condition.js';
import { SEARCH_LIMITS } from '../model/limits.js';
import { type SearchSubject } from '../model/search-model.js';
import { pathOfResolved } from './search-key.js';
import { findTextViolation } from './values.js';
import { type ViolationDetail, type ViolationReport } from './violation.js';

/**
 * Reads the `where` parameter, an expression over the items of a collection.
 * Source: docs/reference/search.md, "Where".
 */
export function readWhere(subject: SearchSubject, report: ViolationReport): ExpressionCondition | undefined {
  const { text } = report;
  if (text.trim() === '')
    return report.add({ code: 'empty_value', message: message`expected an expression`, offset: 0, length: 0 });
  const checked = check(subject, report);
  if (checked?.condition == null) return undefined;
  const { textsOf, isShiftedTooFar } = inspect(checked.condition);
  for (const literal of textsOf) {
    const violation = findTextViolation(literal);
    if (violation) return refusePart(subject, report, { violation, isPart: textIs(literal) });
  }
  if (isShiftedTooFar) {
    const info = message`expected the durations of a sum to have at most ${SEARCH_LIMITS.shiftDays} days together`;
    return refusePart(subject, report, { violation: { code: 'limit_exceeded', message: info }, isPart: isShift });
  }
  if (!subject.clock && needsClock(checked.condition))
    throw new Error('expected a clock in the search subject, because the expression needs it');
  return {
    kind: 'expression',
    checked,
    paths: checked.paths.map((path) => pathOfResolved(subject, path)),
    ...(subject.clock && { clock: subject.clock }),
  };
}

/**
 * Returns whether the value of the `where` parameter needs `SearchSubject.clock`. An expression needs the clock when it
 * names the current day or moment, or uses the time zone. Returns false for an invalid expression. When the result is
 * false, a host does not have to read the clock from a database.
 * @throws {ModelError} when the model contradicts itself, see `checkModel` of `@ats/datapath`
 */
export function whereNeedsClock(subject: SearchSubject, where: string): boolean {
  try {
    const { condition } = checkText(subject, where);
    return condition !== null && needsClock(condition);
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return false;
  }
}

const needsClock = (condition: CheckedTree.Condition): boolean =>
  operandsOf(condition).some(({ kind }) => kind === 'today' || kind === 'now' || kind === 'day' || kind === 'shift');

function checkText({ root, otherRoots = [], model }: SearchSubject, text: string): CheckedExpression {
  return checkExpression(parseExpression(text, model), model, [root, ...otherRoots]);
}

function check(subject: SearchSubject, report: ViolationReport): CheckedExpression | undefined {
  try {
    return checkText(subject, report.text);
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    for (const violation of error.violations) {
      const { message: violated, offset, length, hint } = violation;
      report.add({
        code: 'invalid_expression',
        message: violated,
        offset,
        length,
        hint: hint ?? undefined,
        formatted: violationMessage(violation),
      });
    }
    return undefined;
  }
}

interface RefusedPart {
  readonly violation: Pick<ViolationDetail, 'code' | 'message'>;
  /** True for the part of the expression that the violation is about. */
  readonly isPart: (node: SyntaxTree.ExpressionNode) => boolean;
}

/**
 * Adds a violation at the first node for which `isPart` is true, with line, column and excerpt. Without such a node,
 * the violation is about the whole text.
 */
function refusePart({ model }: SearchSubject, report: ViolationReport, { violation, isPart }: RefusedPart): undefined {
  const { text } = report;
  const found: SyntaxTree.Span[] = [];
  const find = (node: SyntaxTree.ExpressionNode): void => void (isPart(node) && found.push(node));
  const visitor: ExpressionVisitor = { literal: find, sum: find };
  visitExpression(parseExpression(text, model), visitor);
  const { offset, length } = found[0] ?? { offset: 0, length: text.length };
  const placed = createViolation(text, { ...violation, offset, length });
  return report.add({ ...violation, offset, length, formatted: violationMessage(placed) });
}

const textIs = (text: string) => (node: SyntaxTree.ExpressionNode) => node.kind === 'literal' && node.value === text;

const isShift = (node: SyntaxTree.ExpressionNode): boolean =>
  node.kind === 'sum' &&
  [node.first, ...node.rest.map(({ operand }) => operand)].some(({ kind }) => kind === 'duration');

interface Inspected {
  readonly textsOf: readonly string[];
  readonly isShiftedTooFar: boolean;
}

function inspect(condition: CheckedTree.Condition): Inspected {
  const operands = operandsOf(condition);
  return {
    textsOf: [
      ...operands.flatMap((one) => (one.kind === 'constant' && typeof one.value === 'string' ? [one.value] : [])),
      ...listTexts(condition),
    ],
    isShiftedTooFar: operands.some(
      (operand) => !isConstantOperand(operand) && shiftedDays(operand) > SEARCH_LIMITS.shiftDays,
    ),
  };
}

/** Lists the indexes of the paths that a condition reads. A path is listed each time that the condition names it. */
export const pathIndexes = (condition: CheckedTree.Condition): readonly number[] =>
  operandsOf(condition).flatMap((operand) => (operand.kind === 'path' ? [operand.index] : []));

/** Lists all constant texts in a condition, including the texts in IN lists. */
export const expressionTexts = (condition: CheckedTree.Condition): readonly string[] => inspect(condition).textsOf;

function listTexts(condition: CheckedTree.Condition): readonly string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(listTexts);
    case 'not':
      return listTexts(condition.part);
    case 'in':
      return [
        ...condition.values.filter((value): value is string => typeof value === 'string'),
        ...nestedConditions(condition.left).flatMap(listTexts),
      ];
    case 'compare':
      return [condition.left, condition.right].flatMap(nestedConditions).flatMap(listTexts);
    case 'constant':
      return [];
  }
}

function nestedConditions(operand: CheckedTree.Operand): readonly CheckedTree.Condition[] {
  if (operand.kind === 'condition') return [operand.condition];
  return operand.kind === 'call' ? operand.arguments.flatMap(nestedConditions) : [];
}

/** Lists all operands of a condition, including the operands inside them. */
function operandsOf(condition: CheckedTree.Condition): readonly CheckedTree.Operand[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(operandsOf);
    case 'not':
      return operandsOf(condition.part);
    case 'in':
      return withParts(condition.left);
    case 'compare':
      return [...withParts(condition.left), ...withParts(condition.right)];
    case 'constant':
      return [];
  }
}

function withParts(operand: CheckedTree.Operand): readonly CheckedTree.Operand[] {
  switch (operand.kind) {
    case 'shift':
    case 'day':
      return [operand, ...withParts(operand.base)];
    case 'add':
      return [operand, ...withParts(operand.left), ...withParts(operand.right)];
    case 'call':
      return [operand, ...operand.arguments.flatMap(withParts)];
    case 'condition':
      return [operand, ...operandsOf(operand.condition)];
    default:
      return [operand];
  }
}

const DAY_MS = 86_400_000;

function shiftedDays(operand: CheckedTree.Operand): number {
  if (operand.kind === 'day') return shiftedDays(operand.base);
  if (operand.kind !== 'shift') return 0;
  return shiftedDays(operand.base) + Math.abs(operand.days) + Math.abs(operand.milliseconds) / DAY_MS;
}
