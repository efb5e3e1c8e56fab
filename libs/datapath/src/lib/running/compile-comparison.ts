import { type Test, type Truth } from './truth.js';
import { compileFolded, compileOperand, type Scope } from './compile-operand.js';
import { type CompareCondition, type InCondition, MISFIT, type Scalar } from '../checking/condition.js';
import { FAILED, isList, type SlotValue } from './frame.js';
import { LIMITS } from '../syntax/limits.js';

type Operator = CompareCondition['operator'];
type Compare = (left: Scalar, right: Scalar) => boolean;

/** The test of one comparison of any two operands. */
export function compileComparison({ operator, left, right }: CompareCondition, scope: Scope): Test {
  const compileSide = operator === '=~' ? compileFolded : compileOperand;
  const readLeft = compileSide(left, scope);
  const readRight = compileSide(right, scope);
  const compare = comparators[operator];
  if (left.many || right.many) return (frame) => compareAny(readLeft(frame), readRight(frame), compare);
  return (frame) => {
    const first = readLeft(frame);
    const second = readRight(frame);
    if (first === FAILED || second === FAILED || isList(first) || isList(second)) return undefined;
    return compare(first, second);
  };
}

/** IN: the value, or any of several, is in the list. */
export function compileMembership({ left, values }: InCondition, scope: Scope): Test {
  const list = new Set(values);
  const read = compileOperand(left, scope);
  return (frame) => {
    const value = read(frame);
    if (value === FAILED) return undefined;
    if (!isList(value)) return list.has(value);
    for (const element of value) if (list.has(element)) return true;
    return false;
  };
}

/** Whether two values can be put in order: same type, and one that has an order. */
const areOrdered = (left: Scalar, right: Scalar): boolean =>
  typeof left === 'number' ? typeof right === 'number' : typeof left === 'string' && typeof right === 'string';

const comparators: Readonly<Record<Operator, Compare>> = {
  '==': (left, right) => left === right && left !== MISFIT,
  '<': (left, right) => areOrdered(left, right) && (left as number) < (right as number),
  '<=': (left, right) => areOrdered(left, right) && (left as number) <= (right as number),
  '>': (left, right) => areOrdered(left, right) && (left as number) > (right as number),
  '>=': (left, right) => areOrdered(left, right) && (left as number) >= (right as number),
  // Both are folded already.
  '=~': (left, right) => typeof left === 'string' && typeof right === 'string' && left.includes(right),
};

/** Whether any pair satisfies; unknown when a side is, or when there are too many pairs. */
function compareAny(left: SlotValue, right: SlotValue, compare: Compare): Truth {
  if (left === FAILED || right === FAILED) return undefined;
  const lefts: readonly Scalar[] = isList(left) ? left : [left];
  const rights: readonly Scalar[] = isList(right) ? right : [right];
  if (lefts.length * rights.length > LIMITS.comparedPairs) return undefined;
  for (const first of lefts) for (const second of rights) if (compare(first, second)) return true;
  return false;
}
