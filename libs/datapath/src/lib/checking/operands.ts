import { DAY_MS } from '../syntax/calendar.js';
import { readDate } from '../syntax/functions.js';
import { type ConstantOperand, type Operand, type OperandType } from './condition.js';

/** Stands for an operand with a violation. It fits every type, so that a mistake is reported once. */
export const unknownOperand: ConstantOperand = { kind: 'constant', type: 'unknown', many: false, value: null };

export function add(left: Operand, right: Operand, sign: 1 | -1): Operand | undefined {
  if (left.type === 'unknown' || right.type === 'unknown') return unknownOperand;
  if (left.many && right.many) return undefined;
  if (left.type === 'number' && right.type === 'number') {
    return { kind: 'add', type: 'number', many: left.many || right.many, left, right, sign };
  }
  if (right.kind !== 'duration') return undefined;
  const days = sign * right.days;
  const milliseconds = sign * right.milliseconds;
  if (left.kind === 'duration') {
    return { ...left, days: left.days + days, milliseconds: left.milliseconds + milliseconds };
  }
  if (left.type !== 'date' && left.type !== 'datetime') return undefined;
  const type = left.type === 'date' && milliseconds === 0 ? 'date' : 'datetime';
  return { kind: 'shift', type, many: left.many, base: left, days, milliseconds };
}

export function toDateOperand(text: string): Operand {
  const date = readDate(text);
  switch (date?.kind) {
    case 'today':
      return { kind: 'today', type: 'date', many: false };
    case 'now':
      return { kind: 'now', type: 'datetime', many: false };
    case 'day':
      return { kind: 'constant', type: 'date', many: false, value: date.day };
    case 'moment':
      return { kind: 'constant', type: 'datetime', many: false, value: date.ms };
    default:
      return unknownOperand;
  }
}

export function dayOf(base: Operand): Operand {
  return base.kind === 'now'
    ? { kind: 'today', type: 'date', many: false }
    : { kind: 'day', type: 'date', many: base.many, base };
}

/** Converts a duration to milliseconds, so that durations can be compared. A day counts as 24 hours. */
export function durationToMs(operand: Operand): Operand {
  if (operand.kind !== 'duration') return operand;
  return { kind: 'constant', type: 'duration', many: false, value: operand.days * DAY_MS + operand.milliseconds };
}

export function isComparable(left: OperandType, right: OperandType): boolean {
  const isOpen = (type: OperandType): boolean => type === 'unknown' || type === 'null';
  const isTemporal = (type: OperandType): boolean => type === 'date' || type === 'datetime';
  return left === right || isOpen(left) || isOpen(right) || (isTemporal(left) && isTemporal(right));
}

export function isTextBesideDate(left: OperandType, right: OperandType): boolean {
  return left === 'text' && (right === 'date' || right === 'datetime');
}

export function literalType(value: string | number | boolean | null): OperandType {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'boolean';
}
