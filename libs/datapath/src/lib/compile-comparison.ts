import { type Test, type Truth } from './truth.js';
import { compileOperand } from './compile-operand.js';
import { type CompareCondition, type InCondition, type OrderOperator, type Scalar } from './condition.js';
import { FAILED, isList, type SlotValue } from './frame.js';
import { LIMITS } from './limits.js';
import { type SlotTable } from './slot-table.js';

type Operator = CompareCondition['operator'];
type Compare = (left: Scalar, right: Scalar) => boolean;

const mirrored: Readonly<Record<OrderOperator, OrderOperator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** The test of one comparison. A datapath beside a literal, by far the most frequent, gets a closure of its own. */
export function compileComparison(condition: CompareCondition, table: SlotTable): Test {
  const { operator, left, right } = condition;
  if (left.kind === 'constant' && right.kind !== 'constant' && operator !== '=~') {
    const turned = operator === '==' ? operator : mirrored[operator];
    return compileComparison({ ...condition, operator: turned, left: right, right: left }, table);
  }
  if (left.kind === 'path' && !left.many && right.kind === 'constant') {
    return compareWithLiteral(table.slotOf(left.path), operator, right.value);
  }
  const readLeft = compileOperand(left, table);
  const readRight = compileOperand(right, table);
  const compare = comparators[operator];
  if (!left.many && !right.many) {
    return (frame) => {
      const first = readLeft(frame);
      const second = readRight(frame);
      return first === FAILED || second === FAILED ? undefined : compare(first as Scalar, second as Scalar);
    };
  }
  return (frame) => compareAny(readLeft(frame), readRight(frame), compare);
}

/** IN: the value, or any of several, is in the list. */
export function compileMembership({ left, values }: InCondition, table: SlotTable): Test {
  const list = new Set(values);
  const read = compileOperand(left, table);
  return (frame) => {
    const value = read(frame);
    if (value === FAILED) return undefined;
    if (!isList(value)) return list.has(value);
    for (const element of value) if (list.has(element)) return true;
    return false;
  };
}

function compareWithLiteral(slot: number, operator: Operator, literal: Scalar): Test {
  if (operator === '==') {
    return (frame) => {
      const value = frame.read(slot);
      return value === literal ? true : value === FAILED ? undefined : false;
    };
  }
  if (operator === '=~') {
    const needle = fold(literal);
    return (frame) => {
      const value = frame.read(slot);
      return typeof value === 'string' ? value.toLowerCase().includes(needle) : value === FAILED ? undefined : false;
    };
  }
  return typeof literal === 'string' ? orderText(slot, operator, literal) : orderNumber(slot, operator, Number(literal));
}

function orderNumber(slot: number, operator: OrderOperator, bound: number): Test {
  switch (operator) {
    case '<':
      return (frame) => {
        const value = frame.read(slot);
        return typeof value === 'number' ? value < bound : unlessFailed(value);
      };
    case '<=':
      return (frame) => {
        const value = frame.read(slot);
        return typeof value === 'number' ? value <= bound : unlessFailed(value);
      };
    case '>':
      return (frame) => {
        const value = frame.read(slot);
        return typeof value === 'number' ? value > bound : unlessFailed(value);
      };
    case '>=':
      return (frame) => {
        const value = frame.read(slot);
        return typeof value === 'number' ? value >= bound : unlessFailed(value);
      };
  }
}

function orderText(slot: number, operator: OrderOperator, bound: string): Test {
  const compare = comparators[operator];
  return (frame) => {
    const value = frame.read(slot);
    return typeof value === 'string' ? compare(value, bound) : unlessFailed(value);
  };
}

const unlessFailed = (value: SlotValue): Truth => (value === FAILED ? undefined : false);

/** Whether two values can be put in order: same type, and one that has an order. */
const areOrdered = (left: Scalar, right: Scalar): boolean =>
  typeof left === 'number' ? typeof right === 'number' : typeof left === 'string' && typeof right === 'string';

const comparators: Readonly<Record<Operator, Compare>> = {
  '==': (left, right) => left === right,
  '<': (left, right) => areOrdered(left, right) && (left as number) < (right as number),
  '<=': (left, right) => areOrdered(left, right) && (left as number) <= (right as number),
  '>': (left, right) => areOrdered(left, right) && (left as number) > (right as number),
  '>=': (left, right) => areOrdered(left, right) && (left as number) >= (right as number),
  '=~': (left, right) => typeof left === 'string' && typeof right === 'string' && fold(left).includes(fold(right)),
};

/** Case is folded letter by letter, independent of any language. */
function fold(value: Scalar): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}

/** Whether any pair satisfies; unknown when a side is, or when there are too many pairs. */
function compareAny(left: SlotValue, right: SlotValue, compare: Compare): Truth {
  if (left === FAILED || right === FAILED) return undefined;
  const lefts = isList(left) ? left : [left];
  const rights = isList(right) ? right : [right];
  if (lefts.length * rights.length > LIMITS.comparedPairs) return undefined;
  return lefts.some((first) => rights.some((second) => compare(first, second)));
}
