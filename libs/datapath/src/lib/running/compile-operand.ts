import {
  type CallOperand,
  type Condition,
  MISFIT,
  type Operand,
  type OperandType,
  type PathOperand,
  type Scalar,
} from '../checking/condition.js';
import { type ArgumentValue } from '../checking/model.js';
import { formatDay } from '../syntax/calendar.js';
import { FAILED, foldValue, type Frame, isList, shift, type SlotValue, type Test, unreadable } from './frame.js';

/** The functions of the condition compiler that the operand compiler calls. */
export interface Scope {
  /** Returns the slot of a datapath, which is the position of its value in a frame. */
  readonly slotOf: (operand: PathOperand) => number;
  /** Compiles a condition in parentheses that is used as a value. */
  readonly toTest: (condition: Condition) => Test;
}

export type Read = (frame: Frame) => SlotValue;

/** Compiles one side of a comparison. */
export function compileOperand(operand: Operand, scope: Scope): Read {
  switch (operand.kind) {
    case 'path': {
      const slot = scope.slotOf(operand);
      return (frame) => frame.read(slot);
    }
    case 'constant':
      return () => operand.value;
    case 'today':
      return (frame) => frame.today;
    case 'now':
      return (frame) => frame.now;
    case 'duration':
      return () => null;
    case 'day': {
      const read = compileOperand(operand.base, scope);
      return (frame) => mapNumbers(read(frame), (ms) => frame.dayOf(ms));
    }
    case 'shift': {
      const read = compileOperand(operand.base, scope);
      const by = { fromDay: operand.base.type === 'date', days: operand.days, milliseconds: operand.milliseconds };
      return (frame) => mapNumbers(read(frame), (value) => shift(frame, value, by));
    }
    case 'add':
      return compileAdd(operand, scope);
    case 'call':
      return compileCall(operand, scope);
    case 'condition': {
      const test = scope.toTest(operand.condition);
      return (frame) => test(frame) ?? FAILED;
    }
  }
}

/**
 * Compiles one side of `=~`, with the case of its text folded. The frame folds the texts of a datapath only once for
 * all comparisons.
 */
export function compileFolded(operand: Operand, scope: Scope): Read {
  if (operand.kind === 'path') {
    const slot = scope.slotOf(operand);
    return (frame) => frame.readFolded(slot);
  }
  if (operand.kind === 'constant') {
    const folded = foldValue(operand.value);
    return () => folded;
  }
  const read = compileOperand(operand, scope);
  return operand.kind === 'call' ? (frame) => foldValue(read(frame)) : read;
}

/** Compiles a sum of two numbers, of which at most one is to-many. A sum that is not finite is null. */
function compileAdd({ left, right, sign }: Extract<Operand, { kind: 'add' }>, scope: Scope): Read {
  const readLeft = compileOperand(left, scope);
  const readRight = compileOperand(right, scope);
  return (frame) => {
    const first = readLeft(frame);
    const second = readRight(frame);
    if (first === FAILED || second === FAILED) return FAILED;
    if (isList(first)) return first.map((element) => addScalars(element, second, sign));
    if (isList(second)) return second.map((element) => addScalars(first, element, sign));
    return addScalars(first, second, sign);
  };
}

/**
 * Compiles a call of a function of the host. The function is not called for a missing argument (the result is null) or
 * an argument of another type (the result is MISFIT).
 */
function compileCall({ called, arguments: given }: CallOperand, scope: Scope): Read {
  const reads = given.map((argument) => compileOperand(argument, scope));
  const types = given.map(({ type }) => type);
  const callWith = (frame: Frame, values: readonly SlotValue[]): Scalar | typeof FAILED => {
    if (values.includes(null)) return null;
    if (values.includes(MISFIT)) return MISFIT;
    try {
      const converted = values.map((value, index) => toArgument(value, types[index]));
      return frame.toScalar(called.call(...converted), called.result);
    } catch (error) {
      return unreadable(error);
    }
  };
  return (frame) => {
    const values = reads.map((read) => read(frame));
    if (values.includes(FAILED)) return FAILED;
    const list = values.find(isList);
    if (list === undefined) return callWith(frame, values);
    const results = list.map((element) =>
      callWith(
        frame,
        values.map((value) => (value === list ? element : value)),
      ),
    );
    return results.includes(FAILED) ? FAILED : (results as readonly Scalar[]);
  };
}

/** Converts a value of an expression to the value that a function gets. */
function toArgument(value: SlotValue, type: OperandType | undefined): ArgumentValue {
  if (typeof value === 'number') {
    if (type === 'date') return formatDay(value);
    return type === 'datetime' ? new Date(value) : value;
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  throw new TypeError('the argument has no value');
}

function addScalars(left: Scalar, right: SlotValue, sign: 1 | -1): Scalar {
  if (left === MISFIT || right === MISFIT) return MISFIT;
  if (typeof left !== 'number' || typeof right !== 'number') return null;
  const sum = left + sign * right;
  return Number.isFinite(sum) ? sum : null;
}

/** Applies a function to a number, or to each number of a list. Null and MISFIT do not change. */
function mapNumbers(value: SlotValue, map: (value: number) => Scalar | typeof FAILED): SlotValue {
  if (typeof value === 'number') return map(value);
  if (!isList(value)) return value;
  const mapped: Scalar[] = [];
  for (const element of value) {
    const result = typeof element === 'number' ? map(element) : element;
    if (result === FAILED) return FAILED;
    mapped.push(result);
  }
  return mapped;
}
