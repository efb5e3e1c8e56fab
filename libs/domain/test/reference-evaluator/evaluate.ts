import { dayOf, move, type Moment, orderOf, readMoment } from './moments.js';
import { type Node } from './parse.js';

/** The object and the time for which an expression is evaluated. */
export interface Reading {
  /** The values of a datapath, as the object model has them. */
  readonly valuesOf: (path: string) => readonly unknown[];
  readonly kindOf: (path: string) => Kind;
  readonly now: Date;
  readonly timeZone: string;
}

export type Kind = 'number' | 'text' | 'boolean' | 'temporal';
type Value = string | number | boolean | null | Moment | readonly number[];

const ELEMENTS = 1000;
const PAIRS = 10_000;

/** Evaluates after docs/reference/expressions.md; undefined when the result is unknown. */
export function evaluateReference(node: Node, reading: Reading): boolean | undefined {
  switch (node.is) {
    case 'or':
    case 'and': {
      const parts = [evaluateReference(node.left, reading), evaluateReference(node.right, reading)];
      const decisive = node.is === 'or';
      return parts.includes(decisive) ? decisive : parts.includes(undefined) ? undefined : !decisive;
    }
    case 'not':
      return negated(evaluateReference(node.of, reading));
    case 'compare':
      return compare(node, reading);
    case 'in': {
      const found = node.items.map((right) => compare({ operator: '==', left: node.left, right }, reading));
      const holds = found.includes(true) ? true : found.includes(undefined) ? undefined : false;
      return node.negated ? negated(holds) : holds;
    }
    default: {
      const values = valuesOf(node, reading);
      return values?.includes(true);
    }
  }
}

const negated = (holds: boolean | undefined): boolean | undefined => (holds === undefined ? undefined : !holds);
const isCondition = ({ is }: Node): boolean => ['or', 'and', 'not', 'compare', 'in'].includes(is);

type Comparison = Pick<Extract<Node, { is: 'compare' }>, 'operator' | 'left' | 'right'>;

function compare({ operator, left, right }: Comparison, reading: Reading): boolean | undefined {
  if (operator === '!=') return negated(compare({ operator: '==', left, right }, reading));
  if (operator === '!~') return negated(compare({ operator: '=~', left, right }, reading));
  const isTemporal = kindOf(left, reading) === 'temporal' || kindOf(right, reading) === 'temporal';
  const [a, b] = [left, right].map((side) => valuesOf(side, reading, isTemporal));
  if (!a || !b || a.length * b.length > PAIRS) return undefined;
  return a.some((one) => b.some((other) => holds(operator, one, other, reading.timeZone)));
}

/**
 * Returns the values of an operand. They can include null. Undefined when the values are unknown; null for an empty
 * list.
 */
function valuesOf(node: Node, reading: Reading, isTemporal = false): readonly Value[] | undefined {
  if (isCondition(node)) {
    const result = evaluateReference(node, reading);
    return result === undefined ? undefined : [result];
  }
  switch (node.is) {
    case 'literal': {
      return [typeof node.value === 'string' && isTemporal ? temporal(node.value) : node.value];
    }
    case 'date':
      return [dateOf(node.text, reading)];
    case 'duration':
      return [node.parts];
    case 'path': {
      const values = reading.valuesOf(node.text);
      const kind = reading.kindOf(node.text);
      if (values.length > ELEMENTS) return undefined;
      return values.length === 0 ? [null] : values.map((value) => typed(value, kind));
    }
    case 'sum': {
      const [a, b] = [valuesOf(node.left, reading), valuesOf(node.right, reading)];
      if (!a || !b || a.length * b.length > PAIRS) return undefined;
      return a.flatMap((one) => b.map((other) => sum(one, other, node.sign, reading.timeZone)));
    }
    default:
      throw new Error(`expected an operand, found the condition ${node.is}`);
  }
}

function kindOf(node: Node, reading: Reading): Kind | undefined {
  if (node.is === 'path') return reading.kindOf(node.text);
  if (node.is === 'sum') return kindOf(node.left, reading);
  return node.is === 'date' ? 'temporal' : undefined;
}

function dateOf(text: string, { now, timeZone }: Reading): Moment {
  if (text === 'today') return dayOf(now.getTime(), timeZone);
  return text === 'now' ? { us: BigInt(now.getTime()) * 1000n } : temporal(text);
}

function temporal(text: string): Moment {
  const moment = readMoment(text);
  if (!moment) throw new Error(`expected a date, found ${text}`);
  return moment;
}

function typed(value: unknown, kind: Kind): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'number') return Number(value);
  if (kind === 'boolean') return value === true;
  if (value instanceof Date) return temporal(value.toISOString());
  if (typeof value !== 'string') throw new Error(`expected a text, found a value of the type ${typeof value}`);
  return kind === 'temporal' ? temporal(value) : value;
}

function sum(a: Value, b: Value, sign: 1 | -1, zone: string): Value {
  if (a === null || b === null) return null;
  if (typeof a === 'number' && typeof b === 'number') return a + sign * b;
  if (isMoment(a) && isDuration(b)) return move(a, b, sign, zone);
  if (isDuration(a) && isDuration(b)) return a.map((part, index) => part + sign * (b[index] ?? 0));
  throw new Error('these two values cannot be added');
}

const isDuration = (value: Value): value is readonly number[] => Array.isArray(value);
const isMoment = (value: Value): value is Moment => typeof value === 'object' && value !== null && !isDuration(value);

const lowered = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');
const secondsOf = ([days = 0, hours = 0, minutes = 0, seconds = 0]: readonly number[]): number =>
  days * 86_400 + hours * 3600 + minutes * 60 + seconds;

function holds(operator: string, a: Value, b: Value, zone: string): boolean {
  if (a === null || b === null) return operator === '==' && a === b;
  if (operator === '=~') return typeof a === 'string' && typeof b === 'string' && lowered(a).includes(lowered(b));
  const order = ordered(a, b, zone);
  if (order === undefined) return false;
  switch (operator) {
    case '==':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

function ordered(a: Value, b: Value, zone: string): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') return byCodePoints(a, b);
  if (isMoment(a) && isMoment(b)) return orderOf(a, b, zone);
  if (isDuration(a) && isDuration(b)) return secondsOf(a) - secondsOf(b);
  return typeof a === typeof b && typeof a !== 'object' ? Number(a) - Number(b) : undefined;
}

function byCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
