import { compileFolded, compileOperand, type Scope } from './compile-operand.js';
import { type CompareCondition, type InCondition, MISFIT, type Scalar } from '../checking/condition.js';
import { FAILED, isList, type SlotValue, type Test, type Truth } from './frame.js';
import { compareCodePoints } from '../syntax/characters.js';
import { LIMITS } from '../syntax/limits.js';

type Operator = CompareCondition['operator'];
type Compare = (left: Scalar, right: Scalar) => boolean;

/** Compiles a comparison of any two operands. */
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

/** Compiles IN. It is true when the value, or any value of a to-many operand, is in the list. */
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

/** Compares two numbers, or two texts by code points. Returns NaN for other values, because they have no order. */
function orderOf(left: Scalar, right: Scalar): number {
  if (typeof left === 'number') return typeof right === 'number' ? left - right : NaN;
  return typeof left === 'string' && typeof right === 'string' ? compareCodePoints(left, right) : NaN;
}

const comparators: Readonly<Record<Operator, Compare>> = {
  '==': (left, right) => left === right && left !== MISFIT,
  '<': (left, right) => orderOf(left, right) < 0,
  '<=': (left, right) => orderOf(left, right) <= 0,
  '>': (left, right) => orderOf(left, right) > 0,
  '>=': (left, right) => orderOf(left, right) >= 0,
  // The case of both texts is already folded, so this comparison ignores case.
  '=~': (left, right) => typeof left === 'string' && typeof right === 'string' && left.includes(right),
};

/**
 * True when any pair of values satisfies `compare`. Unknown when one of the values is FAILED or there are too many
 * pairs.
 */
function compareAny(left: SlotValue, right: SlotValue, compare: Compare): Truth {
  if (left === FAILED || right === FAILED) return undefined;
  const lefts: readonly Scalar[] = isList(left) ? left : [left];
  const rights: readonly Scalar[] = isList(right) ? right : [right];
  if (lefts.length * rights.length > LIMITS.comparedPairs) return undefined;
  for (const first of lefts) for (const second of rights) if (compare(first, second)) return true;
  return false;
}
