import { type Operand, type Scalar } from '../checking/condition.js';
import { compileOperand, type Scope } from './compile-operand.js';
import { type DateClock } from './constant-date.js';
import { type EvaluationContext, FAILED, Frame, isList } from './frame.js';
import { timeZoneOf } from './time-zone.js';

/** Returns whether an operand has the same value for all objects. A call of a function of the host counts as variable. */
export function isConstantOperand(operand: Operand): boolean {
  switch (operand.kind) {
    case 'path':
    case 'call':
    case 'condition':
      return false;
    case 'shift':
    case 'day':
      return isConstantOperand(operand.base);
    case 'add':
      return isConstantOperand(operand.left) && isConstantOperand(operand.right);
    case 'constant':
    case 'duration':
    case 'now':
    case 'today':
      return true;
  }
}

/**
 * Evaluates a constant operand. A date is a number of days since 1970-01-01, a timestamp a number of milliseconds. Both
 * may be outside the years 0001 to 9999.
 * @param operand an operand for which `isConstantOperand` is true
 * @param clock  may be absent when the value does not need a clock
 * @throws {ContextError} when the value needs `now` and it is no `Date`, or `timeZone` and it is no IANA name
 */
export function constantOperandValue(operand: Operand, clock?: DateClock): Scalar {
  const value = compileOperand(
    operand,
    NO_SCOPE,
  )(new Frame([], { ...clock, valueOf: () => null } as EvaluationContext));
  return value === FAILED || isList(value) ? null : value;
}

const refuse = (): never => {
  throw new Error('expected a constant operand, found a datapath or a condition');
};

const NO_SCOPE: Scope = { slotOf: refuse, toTest: refuse };

/**
 * Returns the first moment of a day in a time zone, in milliseconds. `day` counts from 1970-01-01.
 * @throws {ContextError} when the time zone is no IANA name
 */
export const startOfDay = (day: number, timeZone: string): number => timeZoneOf(timeZone).startOf(day);
