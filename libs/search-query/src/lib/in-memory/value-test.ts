import { parseDay, parseMoment, type ValueType } from '@ats/datapath';
import { type Comparison, type Operand, type PositiveOperator } from '../model/condition.js';
import { compareTexts, fold, foldEmail } from '../sql/folding.js';
import { boundOf } from '../sql/value-sql.js';

/** A value that is compared. Texts and dates are strings, and timestamps are `Moment`s. */
export type Scalar = string | number | boolean | Moment | null;

/** A moment, in milliseconds since 1970-01-01T00:00Z. */
export class Moment {
  constructor(readonly ms: number) {}
}

/** Converts a stored value. A value of another type becomes null. */
export function readScalar(value: unknown, type: ValueType): Scalar {
  switch (type) {
    case 'text':
    case 'rich_text':
      return typeof value === 'string' ? value : null;
    case 'integer':
    case 'decimal':
      return readNumber(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return readDate(value);
    case 'datetime':
      return readMoment(value);
  }
}

function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null;
}

function readDate(value: unknown): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString().slice(0, 10);
  return typeof value === 'string' && parseDay(value) !== undefined ? value : null;
}

function readMoment(value: unknown): Moment | null {
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseMoment(value) : undefined;
  return ms === undefined || Number.isNaN(ms) ? null : new Moment(ms);
}

/** Compares two values of one type. */
export function compareScalars(left: Exclude<Scalar, null>, right: Exclude<Scalar, null>): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  return toNumber(left) - toNumber(right);
}

const toNumber = (value: Exclude<Scalar, null>): number => (value instanceof Moment ? value.ms : Number(value));

/**
 * Compiles a comparison to a test of one value. The negation of the comparison is ignored. Null passes only when
 * `matchesEmpty` is true.
 * @param isEmail  true when the values are e-mail addresses
 */
export function comparisonTest(
  { operator, operand, matchesEmpty }: Comparison,
  isEmail: boolean,
): (value: Scalar) => boolean {
  if (operator === '=') {
    const equals = isEmail && operand.kind === 'text' ? equalsAddressTest(operand.values) : equalsTest(operand);
    return (value) => (value === null || value === '' ? matchesEmpty : equals(value));
  }
  if (operator === '=~') return containsTest(operand.kind === 'text' ? (operand.values[0] ?? '') : '');
  const isInOrder = orderTest(operator, operand);
  return (value) => value !== null && isInOrder(value);
}

function equalsAddressTest(texts: readonly string[]): (value: Scalar) => boolean {
  const addresses = new Set(texts.map(foldEmail));
  return (value) => typeof value === 'string' && addresses.has(foldEmail(value));
}

function equalsTest(operand: Operand): (value: Scalar) => boolean {
  switch (operand.kind) {
    case 'datetime':
      return (value) =>
        value instanceof Moment && operand.values.some(({ from, to }) => value.ms >= from && value.ms < to);
    case 'integer':
    case 'decimal': {
      const numbers = new Set(operand.values.map(Number));
      return (value) => typeof value === 'number' && numbers.has(value);
    }
    case 'text':
    case 'date':
    case 'boolean': {
      const values = new Set<Scalar>(operand.values);
      return (value) => values.has(value);
    }
  }
}

/** Compiles a substring search that ignores case. It searches the text form of a value, as the API shows it. */
export function containsTest(text: string): (value: Scalar) => boolean {
  const folded = fold(text);
  return (value) => value !== null && fold(canonicalText(value)).includes(folded);
}

function canonicalText(value: Exclude<Scalar, null>): string {
  if (value instanceof Moment) return new Date(value.ms).toISOString();
  return typeof value === 'number' ? decimalText(value) : String(value);
}

/** Prints a number without an exponent. */
const decimalText = (value: number): string =>
  String(value).includes('e')
    ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 100 })
    : String(value);

function orderTest(
  operator: Exclude<PositiveOperator, '=' | '=~'>,
  operand: Operand,
): (value: Exclude<Scalar, null>) => boolean {
  if (operand.kind === 'datetime') {
    const bound = boundOf(operator, operand.values[0] ?? { from: NaN, to: NaN });
    return (value) => value instanceof Moment && (bound.operator === '<' ? value.ms < bound.at : value.ms >= bound.at);
  }
  const [first = ''] = operand.values;
  const limit = operand.kind === 'integer' || operand.kind === 'decimal' ? Number(first) : first;
  const isInOrder = ORDERS[operator];
  return (value) => isInOrder(compareScalars(value, limit));
}

const ORDERS = {
  '<': (order: number): boolean => order < 0,
  '<=': (order: number): boolean => order <= 0,
  '>': (order: number): boolean => order > 0,
  '>=': (order: number): boolean => order >= 0,
} as const;
