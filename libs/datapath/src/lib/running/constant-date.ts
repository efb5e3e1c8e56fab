import { message } from '@ats/message';
import { OperandChecker } from '../checking/check-operand.js';
import { type ExpressionNode } from '../syntax/ast.js';
import { FIRST_MOMENT_MS, formatDay, isMoment, LAST_MOMENT_MS, DAY_MS } from '../syntax/calendar.js';
import { type SyntaxOptions } from '../syntax/collection.js';
import { syntaxError } from '../syntax/errors.js';
import { parseExpression } from '../syntax/parser.js';
import { compileOperand, type Scope } from './compile-operand.js';
import { type EvaluationContext, Frame } from './frame.js';
import { timeZoneOf } from './time-zone.js';

/** The moment and the time zone for which a date is evaluated. */
export type DateClock = Pick<EvaluationContext, 'now' | 'timeZone'>;

/** The value of an expression such as `DATE("today") - DTDURATION(7,0,0,0)`. */
export interface ConstantDate {
  /** True for a date, false for a timestamp. */
  readonly isDay: boolean;
  /** The date, or the date of the timestamp in the time zone, as `YYYY-MM-DD`. */
  readonly day: string;
  /**
   * The first moment of the date in the time zone, or the timestamp itself, in milliseconds since 1970-01-01T00:00Z.
   */
  readonly from: number;
  /** The exclusive end: the first moment of the next date, or one millisecond after the timestamp. */
  readonly to: number;
}

/**
 * Evaluates a date without datapaths, such as `DATE("today") - DTDURATION(7,0,0,0)`.
 * @param options  the extensions of the host, so that violations show whole datapaths
 * @throws {DatapathSyntaxError} when the text is anything else, or the date is outside the years 0001 to 9999
 * @throws {ContextError} when `now` is no `Date`, or `timeZone` is no IANA name
 * Source: docs/reference/expressions.md, "Functions".
 */
export function evaluateDate(text: string, clock: DateClock, options: SyntaxOptions = {}): ConstantDate {
  const { condition } = parseExpression(text, options);
  if (condition === null || !isConstantDate(condition)) throw notADate(text, condition);
  const checker = new OperandChecker(NO_MODEL, [], noCondition);
  const operand = checker.toOperand(condition);
  const [violation] = checker.violations;
  if (violation) throw syntaxError(text, { ...violation, code: 'invalid_date' });
  const frame = new Frame([], { ...clock, valueOf: () => null });
  const value = compileOperand(operand, NO_SCOPE)(frame);
  const zone = timeZoneOf(clock.timeZone);
  if (typeof value !== 'number') throw outOfRange(text);
  if (operand.type === 'datetime') {
    if (!isMoment(value)) throw outOfRange(text);
    return { isDay: false, day: formatDay(zone.dayOf(value)), from: value, to: value + 1 };
  }
  if (value < FIRST_MOMENT_MS / DAY_MS || value > LAST_MOMENT_MS / DAY_MS - 1) throw outOfRange(text);
  return { isDay: true, day: formatDay(value), from: zone.startOf(value), to: zone.startOf(value + 1) };
}

const NO_MODEL = { type: () => undefined };

const noCondition = (): never => {
  throw new Error('expected a constant date to be computed without conditions');
};

const NO_SCOPE: Scope = { slotOf: noCondition, toTest: noCondition };

/** Grammar: date ( ( "+" | "-" ) duration )* */
const isConstantDate = (node: ExpressionNode): boolean =>
  node.kind === 'date' ||
  (node.kind === 'sum' &&
    node.first.kind === 'date' &&
    node.rest.every(({ operand: { kind } }) => kind === 'duration' || kind === 'negative'));

const notADate = (text: string, node: ExpressionNode | null): Error =>
  syntaxError(text, {
    code: 'invalid_date',
    message: message`expected ${'DATE(…)'}, and ${'DTDURATION(…)'} after each ${'+'} or ${'-'}`,
    offset: node?.offset ?? 0,
    length: node?.length ?? 0,
  });

const outOfRange = (text: string): Error =>
  syntaxError(text, {
    code: 'invalid_date',
    message: message`expected a date in the years ${'0001'} to ${'9999'}`,
    offset: 0,
    length: text.length,
  });
