import { type CheckedTree, constantOperandValue, isConstantOperand, startOfDay } from '@ats/datapath';
import { type ExpressionCondition } from '../model/condition.js';
import { type CompileCondition, foldedSql, operandSql, toParameter } from './expression-operand.js';
import { ComparisonScope } from './expression-source.js';
import { inParentheses, type SqlCondition, type SqlScope } from './sql-scope.js';
import { isInFolded } from './value-sql.js';

type Compare = Extract<CheckedTree.Condition, { kind: 'compare' }>;
type Membership = Extract<CheckedTree.Condition, { kind: 'in' }>;

/**
 * Compiles an expression to SQL with the same result as the closures of `@ats/datapath` for every row. Null in SQL means
 * false, as in every condition of a collection, so a negation is `IS NOT TRUE`.
 * Source: docs/reference/expressions.md, "Truth rules" and "To-many".
 */
export function expressionSql(expression: ExpressionCondition, scope: SqlScope): SqlCondition {
  const { condition } = expression.checked;
  if (condition === null) return { text: 'true', canBeNull: false };
  return { text: new ExpressionCompiler(expression, scope).condition(condition), canBeNull: true };
}

class ExpressionCompiler {
  readonly #nested: CompileCondition = (operand) => `((${this.condition(operand.condition)}) IS TRUE)`;

  constructor(
    private readonly expression: ExpressionCondition,
    private readonly scope: SqlScope,
  ) {}

  condition(condition: CheckedTree.Condition): string {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return condition.parts
          .map((part) => `(${this.condition(part)})`)
          .join(condition.kind === 'and' ? ' AND ' : ' OR ');
      case 'not':
        return `(${this.condition(condition.part)}) IS NOT TRUE`;
      case 'constant':
        return String(condition.value);
      case 'in':
        return this.#membership(condition);
      case 'compare':
        return this.#comparison(condition);
    }
  }

  #comparison(compare: Compare): string {
    const { operator, left, right } = compare;
    if (left.type === 'null') return this.#isNull(right);
    if (right.type === 'null') return this.#isNull(left);
    if (operator === '=~') return this.#contains(compare);
    const byMoments = this.#dayOfMoment(compare);
    if (byMoments !== undefined) return byMoments;
    const byIntegers = this.#integers(compare);
    if (byIntegers !== undefined) return byIntegers;
    const areBothVariable = !isConstantOperand(left) && !isConstantOperand(right);
    const comparison = this.#open(operator === '==' && areBothVariable);
    const collation = left.type === 'text' && (operator !== '==' || areBothVariable) ? ' COLLATE "C"' : '';
    const first = `${operandSql(left, comparison, this.#nested)}${collation}`;
    const second = operandSql(right, comparison, this.#nested);
    const name = operator === '==' ? (areBothVariable ? 'IS NOT DISTINCT FROM' : '=') : operator;
    return comparison.any(`${first} ${name} ${second}${areBothVariable ? collation : ''}`);
  }

  #open(keepsNull: boolean): ComparisonScope {
    return new ComparisonScope(this.scope, this.expression, keepsNull);
  }

  #isNull(operand: CheckedTree.Operand): string {
    if (operand.type === 'null') return 'true';
    if (isConstantOperand(operand)) return String(constantOperandValue(operand, this.expression.clock) === null);
    const comparison = this.#open(true);
    return comparison.any(`${operandSql(operand, comparison, this.#nested)} IS NULL`);
  }

  #contains({ left, right }: Compare): string {
    const comparison = this.#open(false);
    const folded = foldedSql(left, comparison, this.#nested);
    if (isConstantOperand(right)) {
      const text = String(constantOperandValue(right, this.expression.clock));
      return comparison.any(isInFolded(folded, text, this.scope));
    }
    return comparison.any(`strpos(${folded}, ${foldedSql(right, comparison, this.#nested)}) > 0`);
  }

  /** Compares the day of a timestamp with a constant day by two timestamps, so that an index can be used. */
  #dayOfMoment({ operator, left, right }: Compare): string | undefined {
    if (left.kind !== 'day' || left.base.kind !== 'path' || !isConstantOperand(right)) return undefined;
    const { clock } = this.expression;
    const day = constantOperandValue(right, clock);
    if (typeof day !== 'number') return 'false';
    const comparison = this.#open(false);
    const moment = operandSql(left.base, comparison, this.#nested);
    const startOf = (date: number): string =>
      this.scope.parameter(toParameter(startOfDay(date, clock.timeZone), 'datetime'), 'timestamptz');
    switch (operator) {
      case '<':
        return comparison.any(`${moment} < ${startOf(day)}`);
      case '<=':
        return comparison.any(`${moment} < ${startOf(day + 1)}`);
      case '>':
        return comparison.any(`${moment} >= ${startOf(day + 1)}`);
      case '>=':
        return comparison.any(`${moment} >= ${startOf(day)}`);
      default:
        return comparison.any(`${moment} >= ${startOf(day)} AND ${moment} < ${startOf(day + 1)}`);
    }
  }

  /** Compares an integer attribute with an integer without a conversion, so that an index can be used. */
  #integers({ operator, left, right }: Compare): string | undefined {
    if (left.kind !== 'path' || left.path.type !== 'integer' || !isConstantOperand(right)) return undefined;
    const value = constantOperandValue(right, this.expression.clock);
    if (!Number.isSafeInteger(value)) return undefined;
    const comparison = this.#open(false);
    const column = inParentheses(comparison.value(left).sql);
    return comparison.any(`${column} ${operator === '==' ? '=' : operator} ${this.scope.parameter(value, 'bigint')}`);
  }

  #membership({ left, values }: Membership): string {
    if (isConstantOperand(left)) {
      const value = left.kind === 'duration' ? null : constantOperandValue(left, this.expression.clock);
      return String(values.includes(value));
    }
    if (values.length === 0) return 'false';
    const hasNull = values.includes(null);
    const listed = values.filter((value) => value !== null).map((value) => toParameter(value, left.type));
    const comparison = this.#open(hasNull);
    const sql = operandSql(left, comparison, this.#nested);
    const tests = [
      ...(listed.length > 0 ? [`${sql} = ANY(${this.scope.parameter(listed, `${LIST_TYPES[left.type]}[]`)})`] : []),
      ...(hasNull ? [`${sql} IS NULL`] : []),
    ];
    return comparison.any(tests.join(' OR '));
  }
}

const LIST_TYPES = {
  number: 'float8',
  duration: 'float8',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  null: 'text',
  unknown: 'text',
} as const;
