import { type CheckedTree, constantOperandValue, isConstantOperand, startOfDay } from '@ats/datapath';
import { type ExpressionCondition } from '../model/condition.js';
import { getAttribute } from '../model/search-model.js';
import { type CompileCondition, foldedSql, operandSql, toParameter } from './expression-operand.js';
import { ComparisonScope, type SmallSource } from './expression-source.js';
import { inParentheses, type Lookup, negate, type SqlCondition, SqlParameters, SqlScope } from './sql-scope.js';
import { ROOT_COLLATION } from './folding.js';
import { canonicalText, isInFolded, isOneOf } from './value-sql.js';

type Compare = Extract<CheckedTree.Condition, { kind: 'compare' }>;
type Membership = Extract<CheckedTree.Condition, { kind: 'in' }>;

/**
 * Compiles an expression to SQL. For every row it gives the same result as the closures of `@ats/datapath`. Null in SQL
 * means false, as in all conditions of a collection. So a part that can be null is negated by `IS NOT TRUE`.
 * Source: docs/reference/expressions.md, "Truth rules" and "To-many".
 */
export function expressionSql(expression: ExpressionCondition, scope: SqlScope): SqlCondition {
  const { condition } = expression.checked;
  return condition === null ? ALWAYS : new ExpressionCompiler(expression, scope).condition(condition);
}

/** Returns the look-ups of an expression: one for each comparison of a row of a small table with constants. */
export function expressionLookups(expression: ExpressionCondition, scope: SqlScope): readonly Lookup[] {
  const { condition } = expression.checked;
  return condition === null ? [] : new ExpressionCompiler(expression, scope).lookups(condition);
}

interface Traced {
  /** The SELECT that finds the rows of a small table for which the comparison is true, if there is one. */
  readonly lookup: string | undefined;
  readonly small?: SmallSource;
}

/** True for a comparison of a single to-one path with constants. Only such a comparison can have a look-up. */
const comparesOnePath = (leaf: Compare | Membership): boolean =>
  (leaf.left.kind === 'path' || (leaf.left.kind === 'day' && leaf.left.base.kind === 'path')) &&
  !leaf.left.many &&
  (leaf.kind === 'in' || isConstantOperand(leaf.right));

const ALWAYS: SqlCondition = { text: 'true', canBeNull: false };

class ExpressionCompiler {
  readonly #nested: CompileCondition = (operand) => `((${this.condition(operand.condition).text}) IS TRUE)`;

  /** The small table that the last compiled comparison reads, and its look-up. */
  #traced: Traced = { lookup: undefined };

  constructor(
    private readonly expression: ExpressionCondition,
    private readonly scope: SqlScope,
  ) {}

  condition(condition: CheckedTree.Condition): SqlCondition {
    switch (condition.kind) {
      case 'and':
      case 'or': {
        const parts = condition.parts.map((part) => this.condition(part));
        return {
          text: parts.map(({ text }) => `(${text})`).join(condition.kind === 'and' ? ' AND ' : ' OR '),
          canBeNull: parts.some(({ canBeNull }) => canBeNull),
        };
      }
      case 'not':
        return negate(this.condition(condition.part));
      case 'constant':
        return { text: String(condition.value), canBeNull: false };
      case 'in':
      case 'compare':
        return this.#leaf(condition);
    }
  }

  lookups(condition: CheckedTree.Condition): readonly Lookup[] {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return condition.parts.flatMap((part) => this.lookups(part));
      case 'not':
        return this.lookups(condition.part);
      case 'constant':
        return [];
      case 'in':
      case 'compare':
        return this.#lookupOf(condition);
    }
  }

  #leaf(leaf: Compare | Membership): SqlCondition {
    const ids = this.scope.options.lookups?.get(leaf);
    const column = ids ? this.#traceAside(leaf).small?.column : undefined;
    if (ids && column !== undefined) return isOneOf(column, ids, this.scope);
    const text = this.#leafText(leaf);
    return { text, canBeNull: !text.startsWith('EXISTS (') };
  }

  #leafText(leaf: Compare | Membership): string {
    return leaf.kind === 'in' ? this.#membership(leaf) : this.#comparison(leaf);
  }

  #lookupOf(leaf: Compare | Membership): readonly Lookup[] {
    if (!comparesOnePath(leaf) || this.#traceAside(leaf).lookup === undefined) return [];
    this.#leafText(leaf);
    const select = this.#traced.lookup;
    return select === undefined ? [] : [{ key: leaf, select }];
  }

  /** Compiles a comparison without adding its parameters to the statement, to find out what it reads. */
  #traceAside(leaf: Compare | Membership): Traced {
    const aside = new SqlScope({ ...this.scope.options, parameters: new SqlParameters() });
    const compiler = new ExpressionCompiler(this.expression, aside);
    compiler.#leafText(leaf);
    return compiler.#traced;
  }

  #any(comparison: ComparisonScope, test: string): string {
    const small = comparison.sources[0]?.small;
    this.#traced = { lookup: comparison.lookup(test), ...(small && { small }) };
    return comparison.any(test);
  }

  #comparison(compare: Compare): string {
    const { operator, left, right } = compare;
    if (left.type === 'null') return this.#isNull(right);
    if (right.type === 'null') return this.#isNull(left);
    if (operator === '=~') return this.#contains(compare);
    const byMoments = this.#dayOfMoment(compare);
    if (byMoments !== undefined) return byMoments;
    const byNumbers = this.#numbers(compare);
    if (byNumbers !== undefined) return byNumbers;
    const areBothVariable = !isConstantOperand(left) && !isConstantOperand(right);
    const comparison = this.#open(operator === '==' && areBothVariable);
    const collation = left.type === 'text' && (operator !== '==' || areBothVariable) ? ' COLLATE "C"' : '';
    const first =
      operator === '==' && !areBothVariable
        ? this.#equalSql(left, comparison)
        : `${operandSql(left, comparison, this.#nested)}${collation}`;
    const second = operandSql(right, comparison, this.#nested);
    const name = operator === '==' ? (areBothVariable ? 'IS NOT DISTINCT FROM' : '=') : operator;
    return this.#any(comparison, `${first} ${name} ${second}${areBothVariable ? collation : ''}`);
  }

  /**
   * Makes SQL for one side of an equality. A searchable text gets the collation of its index, in which only identical
   * texts are equal.
   */
  #equalSql(operand: CheckedTree.Operand, comparison: ComparisonScope): string {
    if (operand.kind !== 'path' || operand.type !== 'text') return operandSql(operand, comparison, this.#nested);
    const value = comparison.value(operand);
    return value.folded === undefined ? canonicalText(value) : `${canonicalText(value)} COLLATE ${ROOT_COLLATION}`;
  }

  #open(keepsNull: boolean): ComparisonScope {
    return new ComparisonScope(this.scope, this.expression, keepsNull);
  }

  #isNull(operand: CheckedTree.Operand): string {
    if (operand.type === 'null') return 'true';
    if (isConstantOperand(operand)) return String(constantOperandValue(operand, this.expression.clock) === null);
    const comparison = this.#open(true);
    // The test reads the stored value without the conversion of `operandSql`, so that PostgreSQL can use an index.
    const sql =
      operand.kind === 'path'
        ? inParentheses(comparison.value(operand).sql)
        : operandSql(operand, comparison, this.#nested);
    return this.#any(comparison, `${sql} IS NULL`);
  }

  #contains({ left, right }: Compare): string {
    const comparison = this.#open(false);
    const folded = foldedSql(left, comparison, this.#nested);
    if (isConstantOperand(right)) {
      const text = String(constantOperandValue(right, this.expression.clock));
      return this.#any(comparison, isInFolded(folded, text, this.scope));
    }
    return this.#any(comparison, `strpos(${folded}, ${foldedSql(right, comparison, this.#nested)}) > 0`);
  }

  /**
   * Compares the day of a timestamp with a constant day. It compares with two timestamps instead, so that an index can
   * be used.
   */
  #dayOfMoment({ operator, left, right }: Compare): string | undefined {
    if (left.kind !== 'day' || left.base.kind !== 'path' || !isConstantOperand(right)) return undefined;
    const day = constantOperandValue(right, this.expression.clock);
    if (typeof day !== 'number') return 'false';
    const comparison = this.#open(false);
    const moment = operandSql(left.base, comparison, this.#nested);
    const startOf = (date: number): string =>
      this.scope.parameter(toParameter(startOfDay(date, comparison.timeZone), 'datetime'), 'timestamptz');
    switch (operator) {
      case '<':
        return this.#any(comparison, `${moment} < ${startOf(day)}`);
      case '<=':
        return this.#any(comparison, `${moment} < ${startOf(day + 1)}`);
      case '>':
        return this.#any(comparison, `${moment} >= ${startOf(day + 1)}`);
      case '>=':
        return this.#any(comparison, `${moment} >= ${startOf(day)}`);
      default:
        return this.#any(comparison, `${moment} >= ${startOf(day)} AND ${moment} < ${startOf(day + 1)}`);
    }
  }

  /**
   * Compares an integer attribute with an integer, or a decimal attribute of at most 15 digits with a number. The SQL
   * has no conversion, so that PostgreSQL can use an index. Returns undefined for other comparisons.
   */
  #numbers({ operator, left, right }: Compare): string | undefined {
    if (left.kind !== 'path' || !isConstantOperand(right)) return undefined;
    const isInteger = left.path.type === 'integer';
    if (!isInteger && !this.#fitsDouble(left)) return undefined;
    const constant = constantOperandValue(right, this.expression.clock);
    if (!(isInteger ? Number.isSafeInteger(constant) : Number.isFinite(constant))) return undefined;
    const comparison = this.#open(false);
    const column = inParentheses(comparison.value(left).sql);
    const bound = this.scope.parameter(constant, isInteger ? 'bigint' : 'numeric');
    return this.#any(comparison, `${column} ${operator === '==' ? '=' : operator} ${bound}`);
  }

  #fitsDouble({ index }: Extract<CheckedTree.Operand, { kind: 'path' }>): boolean {
    const end = this.expression.paths[index]?.end;
    return end?.kind === 'attribute' && getAttribute(this.scope.options.model, end.owner, end.name).fitsDouble === true;
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
    const sql = this.#equalSql(left, comparison);
    const tests = [
      ...(listed.length > 0 ? [`${sql} = ANY(${this.scope.parameter(listed, `${LIST_TYPES[left.type]}[]`)})`] : []),
      ...(hasNull ? [`${sql} IS NULL`] : []),
    ];
    return this.#any(comparison, tests.join(' OR '));
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
