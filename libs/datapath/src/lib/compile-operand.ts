import { compileCondition } from './compile.js';
import { type Operand, type Scalar } from './condition.js';
import { FAILED, type Frame, isList, shift, type SlotValue } from './frame.js';
import { type SlotTable } from './slot-table.js';

export type Read = (frame: Frame) => SlotValue;

/** Reads one side of a comparison. */
export function compileOperand(operand: Operand, table: SlotTable): Read {
  switch (operand.kind) {
    case 'path': {
      const slot = table.slotOf(operand.path);
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
      const read = compileOperand(operand.base, table);
      return (frame) => mapNumbers(read(frame), (ms) => frame.zone.dayOf(ms));
    }
    case 'shift': {
      const read = compileOperand(operand.base, table);
      const by = { fromDay: operand.base.type === 'date', days: operand.days, milliseconds: operand.milliseconds };
      return (frame) => mapNumbers(read(frame), (value) => shift(frame, value, by));
    }
    case 'add':
      return compileAdd(operand, table);
    case 'condition': {
      const test = compileCondition(operand.condition, table);
      return (frame) => test(frame) ?? FAILED;
    }
  }
}

/** Numbers alone are added; at most one side has many values. A sum that is no finite number is no value. */
function compileAdd({ left, right, sign }: Extract<Operand, { kind: 'add' }>, table: SlotTable): Read {
  const readLeft = compileOperand(left, table);
  const readRight = compileOperand(right, table);
  return (frame) => {
    const first = readLeft(frame);
    const second = readRight(frame);
    if (first === FAILED || second === FAILED) return FAILED;
    if (isList(first)) return first.map((element) => addScalars(element, second, sign));
    if (isList(second)) return second.map((element) => addScalars(first, element, sign));
    return addScalars(first, second, sign);
  };
}

function addScalars(left: Scalar, right: SlotValue, sign: 1 | -1): Scalar {
  if (typeof left !== 'number' || typeof right !== 'number') return null;
  const sum = left + sign * right;
  return Number.isFinite(sum) ? sum : null;
}

/** Applies to a value or to each of several; what is not a number stays what it is, and equals no number. */
function mapNumbers(value: SlotValue, map: (value: number) => Scalar): SlotValue {
  if (typeof value === 'number') return map(value);
  return isList(value) ? value.map((element) => (typeof element === 'number' ? map(element) : element)) : value;
}
