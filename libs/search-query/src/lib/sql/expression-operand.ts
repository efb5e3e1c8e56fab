import { type CheckedTree, constantOperandValue, isConstantOperand } from '@ats/datapath';
import { type ComparisonScope } from './expression-source.js';
import { foldSql } from './folding.js';
import { inParentheses } from './sql-scope.js';
import { canonicalText } from './value-sql.js';
import { addDaysSql, dayOfSql, startOfDaySql } from './zone-sql.js';

/** Compiles a condition in parentheses. The SQL is never null. */
export type CompileCondition = (operand: Extract<CheckedTree.Operand, { kind: 'condition' }>) => string;

/** Compiles one side of a comparison to SQL of the type `float8`, `text`, `boolean`, `date` or `timestamptz`. */
export function operandSql(operand: CheckedTree.Operand, scope: ComparisonScope, condition: CompileCondition): string {
  if (isConstantOperand(operand)) return constantSql(operand, scope);
  switch (operand.kind) {
    case 'path':
      return pathSql(operand, scope);
    case 'add': {
      const [left, right] = [operand.left, operand.right].map((side) => termSql(side, scope, condition));
      return `(${left} ${operand.sign === 1 ? '+' : '-'} ${right})`;
    }
    case 'call':
      return callSql(operand, scope, condition);
    case 'day':
      return dayOfSql(operandSql(operand.base, scope, condition), zoneOf(scope));
    case 'shift':
      return shiftSql(operand, operandSql(operand.base, scope, condition), scope);
    case 'condition':
      return condition(operand);
    default:
      throw new Error(`the operand ${operand.kind} is constant and needs no SQL`);
  }
}

/** Returns a parameter with the IANA name of the time zone. */
const zoneOf = ({ scope, timeZone }: ComparisonScope): string => scope.parameter(timeZone, 'text');

function pathSql(operand: Extract<CheckedTree.Operand, { kind: 'path' }>, scope: ComparisonScope): string {
  const value = scope.value(operand);
  if (operand.type === 'number') return `${inParentheses(value.sql)}::float8`;
  return operand.type === 'text' ? canonicalText(value) : inParentheses(value.sql);
}

/**
 * Largest absolute value of a number in a sum. A larger number counts as null. The sum of two smaller numbers fits in a
 * double, so PostgreSQL never reports an overflow.
 */
const GREATEST_TERM = '1e300';

function termSql(operand: CheckedTree.Operand, scope: ComparisonScope, condition: CompileCondition): string {
  const sql = operandSql(operand, scope, condition);
  if (operand.kind !== 'path' || operand.path.type === 'integer') return sql;
  return `CASE WHEN abs(${sql}) <= ${GREATEST_TERM} THEN ${sql} END`;
}

function callSql(
  { called, arguments: given, type }: Extract<CheckedTree.Operand, { kind: 'call' }>,
  scope: ComparisonScope,
  condition: CompileCondition,
): string {
  const known = scope.scope.options.model.functions?.find(({ name }) => name === called.name);
  if (!known) throw new Error(`the object model has no function ${called.name}`);
  const values = given.map((argument) => operandSql(argument, scope, condition));
  return `(${known.sql(...values)})::${SQL_TYPES[type]}`;
}

function shiftSql(
  { base, days, milliseconds }: Extract<CheckedTree.Operand, { kind: 'shift' }>,
  sql: string,
  scope: ComparisonScope,
): string {
  const count = days === 0 ? '0' : scope.scope.parameter(days, 'int');
  if (base.type === 'date' && milliseconds === 0) return `(${sql} + ${count})`;
  const moved =
    base.type === 'date'
      ? startOfDaySql(`${sql} + ${count}`, zoneOf(scope))
      : days === 0
        ? sql
        : addDaysSql(sql, count, zoneOf(scope));
  if (milliseconds === 0) return moved;
  return `(${moved} + ${scope.scope.parameter(milliseconds, 'float8')} * interval '1 millisecond')`;
}

/** Maps the type of an operand to the SQL type of a parameter. */
const SQL_TYPES = {
  number: 'float8',
  duration: 'float8',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  null: 'text',
  unknown: 'text',
} as const;

function constantSql(operand: CheckedTree.Operand, scope: ComparisonScope): string {
  const value = constantOperandValue(operand, scope.clock);
  return scope.scope.parameter(toParameter(value, operand.type), SQL_TYPES[operand.type]);
}

/**
 * Converts a constant to the value of an SQL parameter. A date outside the years 0001 to 9999 is passed on exactly,
 * because PostgreSQL has such dates. It has none before about 4700 BC, so earlier dates become `-infinity`. Dates that
 * JavaScript cannot represent become `-infinity` or `infinity`.
 */
export function toParameter(value: unknown, type: CheckedTree.Operand['type']): unknown {
  if (typeof value !== 'number' || (type !== 'date' && type !== 'datetime')) return value;
  const date = new Date(type === 'date' ? value * DAY_MS : value);
  if (Number.isNaN(date.getTime())) return value < 0 ? '-infinity' : 'infinity';
  const year = date.getUTCFullYear();
  if (year < FIRST_YEAR) return '-infinity';
  // JavaScript writes a year outside 0 to 9999 with a sign and six digits. PostgreSQL accepts no sign: the year 0 is
  // `0001 BC`, and a later year may have more than four digits.
  const afterYear = date.toISOString().replace(/^[+-]?\d+/, '');
  const digits = String(year > 0 ? year : 1 - year).padStart(4, '0');
  const rest = type === 'date' ? afterYear.slice(0, '-MM-DD'.length) : afterYear;
  return `${digits}${rest}${year > 0 ? '' : ' BC'}`;
}

const DAY_MS = 86_400_000;
const FIRST_YEAR = -4_700;

/** Compiles one side of `=~`, with the case of its text folded. */
export function foldedSql(operand: CheckedTree.Operand, scope: ComparisonScope, condition: CompileCondition): string {
  if (operand.kind !== 'path') return foldSql(operandSql(operand, scope, condition));
  const value = scope.value(operand);
  return value.folded ?? foldSql(canonicalText(value));
}
