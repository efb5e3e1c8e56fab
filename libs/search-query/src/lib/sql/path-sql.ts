import { type Comparison, type Operand, type Path, type PathStep } from '../model/condition.js';
import { getAttribute, getRelation, getSearchObject, idNameOf } from '../model/search-model.js';
import { type SqlObject, type SqlRelation } from './sql-model.js';
import { inParentheses, type Lookup, negate, type SqlCondition, type SqlScope } from './sql-scope.js';
import { compareSql, isOneOf, readValue, type SqlValue } from './value-sql.js';

/** A position on a path: the row that is reached, and the remaining steps. */
interface Position {
  readonly alias: string;
  readonly steps: readonly PathStep[];
}

/**
 * Compiles a comparison. Its negation is ignored.
 *
 * A step to another row becomes an EXISTS, so that rows are never duplicated. When a missing to-one value must match,
 * the SQL is a NOT EXISTS: no row has a different value. A to-many path without values also matches the empty value.
 */
export function pathSql(comparison: Comparison, scope: SqlScope): SqlCondition {
  const { path, matchesEmpty } = comparison;
  const compiler = new PathCompiler(comparison, scope);
  const start: Position = { alias: scope.options.alias, steps: path.steps };
  const found = compiler.holds(start);
  if (!path.many || !matchesEmpty) return found;
  const hasAny = compiler.hasAny(start);
  if (path.end.kind === 'object') return negate(hasAny);
  return { text: `${negate(hasAny).text} OR ${found.text}`, canBeNull: found.canBeNull };
}

/**
 * Returns the look-up of a comparison, or an empty list. A look-up is a SELECT that finds the ids of the matching rows
 * before the search runs. Only two kinds of paths have one: paths to a small table, and paths to a row that has the id
 * of its owner, such as a form value.
 */
export function pathLookup(comparison: Comparison, scope: SqlScope): readonly Lookup[] {
  const { path, matchesEmpty } = comparison;
  if (path.many && matchesEmpty) return []; // `pathSql` compiles this comparison to two subselects, not to one look-up.
  return new PathCompiler(comparison, scope).lookup({ alias: scope.options.alias, steps: path.steps });
}

class PathCompiler {
  readonly #path: Path;

  constructor(
    private readonly comparison: Comparison,
    private readonly scope: SqlScope,
  ) {
    this.#path = comparison.path;
  }

  /**
   * Makes the condition that at least one value of the path matches. A missing to-one value matches when `matchesEmpty`
   * is true.
   */
  holds({ alias, steps }: Position): SqlCondition {
    const [step, ...rest] = steps;
    if (!step || this.#isAtKey(alias, steps)) return this.#end({ alias, steps });
    const relation = this.#relation(step);
    if (!relation.join) return this.holds({ alias, steps: rest });
    if (this.comparison.matchesEmpty && !step.many && !this.#isManyAhead(rest))
      return negate(this.#differs({ alias, steps }));
    return this.#exists(alias, { step, relation }, (to) => this.holds({ alias: to, steps: rest }), true);
  }

  /**
   * Makes the SELECT of ids for the first step to another table. It selects the rows for which the rest of the path
   * matches.
   */
  lookup({ alias, steps }: Position): readonly Lookup[] {
    const [step, ...rest] = steps;
    if (!step || this.#isAtKey(alias, steps)) return [];
    const relation = this.#relation(step);
    if (!relation.join) return this.lookup({ alias, steps: rest });
    const target = this.#target(step);
    const key = keyOf(relation, target);
    if (key === undefined || target.table === undefined) return [];
    const to = this.scope.alias();
    const position = { alias: to, steps: rest };
    const asksForMissing = this.comparison.matchesEmpty && !this.#isManyAhead(rest);
    const { text } = asksForMissing ? this.#differs(position) : this.holds(position);
    const conditions = [...(relation.where ? [relation.where(to)] : []), text];
    const ids = key.isInTarget ? `${to}.${key.column}` : this.#id(step, to);
    return [
      { key: this.comparison, select: `SELECT ${ids} FROM ${target.table} ${to} WHERE ${conditions.join(' AND ')}` },
    ];
  }

  /**
   * Makes the condition that the lists on the path have at least one element. A path without lists always has a value.
   */
  hasAny({ alias, steps }: Position): SqlCondition {
    const [step, ...rest] = steps;
    if (!step)
      return this.#endsOnList()
        ? { text: `cardinality(${this.#value(alias, steps).sql}) > 0`, canBeNull: true }
        : ALWAYS;
    const relation = this.#relation(step);
    if (!relation.join) return this.hasAny({ alias, steps: rest });
    if (!step.many && !this.#isManyAhead(rest)) return ALWAYS;
    return this.#exists(alias, { step, relation }, (to) => this.hasAny({ alias: to, steps: rest }));
  }

  /** Makes the condition that the path has a value that differs from all values of the comparison. */
  #differs({ alias, steps }: Position): SqlCondition {
    const [step, ...rest] = steps;
    if (!step || this.#isAtKey(alias, steps)) {
      const value = this.#value(alias, steps);
      const isThere = `${inParentheses(value.sql)} IS NOT NULL`;
      const equals = this.#equals(value);
      return { text: equals === undefined ? isThere : `${isThere} AND NOT (${equals})`, canBeNull: false };
    }
    const relation = this.#relation(step);
    if (!relation.join) return this.#differs({ alias, steps: rest });
    return this.#exists(alias, { step, relation }, (to) => this.#differs({ alias: to, steps: rest }));
  }

  #exists(
    from: string,
    { step, relation }: { step: PathStep; relation: SqlRelation },
    inside: (to: string) => SqlCondition,
    isForList = false,
  ): SqlCondition {
    const target = this.#target(step);
    const key = keyOf(relation, target);
    const ids = from === this.scope.options.alias ? this.scope.options.lookups?.get(this.comparison) : undefined;
    if (ids && key) return isOneOf(`${from}.${key.isInTarget ? this.#idColumn : key.column}`, ids, this.scope);
    const to = this.scope.alias();
    if (!target.table || !relation.join) throw new Error(`the object type ${target.name} has no table of its own`);
    const { text } = inside(to);
    const further = [...this.#labelOf(step, to), ...(text === 'true' ? [] : [text])];
    const columns =
      isForList && this.#hasLongList() ? equalColumns(relation, { from, to, id: this.#idColumn }) : undefined;
    if (columns) {
      const where = [...columns.conditions, ...further].join(' AND ');
      const matching = this.scope.alias();
      // The inner subselect does not depend on the row, so PostgreSQL compares the list with each target once. Without
      // OFFSET 0 it may do so again for each row.
      const inner = `SELECT ${columns.target} AS id FROM ${target.table} ${to} WHERE ${where} OFFSET 0`;
      return {
        text: `EXISTS (SELECT FROM (${inner}) ${matching} WHERE ${matching}.id = ${columns.owner})`,
        canBeNull: false,
      };
    }
    const conditions = [relation.join(from, to), ...further];
    return { text: `EXISTS (SELECT FROM ${target.table} ${to} WHERE ${conditions.join(' AND ')})`, canBeNull: false };
  }

  #labelOf({ label, target }: PathStep, alias: string): string[] {
    if (!label) return [];
    const { model, settings = {} } = this.scope.options;
    const sql = getAttribute(model, target, label.attribute).sql(alias, settings);
    return [`${inParentheses(sql)} = ${this.scope.parameter(label.text, 'text')}`];
  }

  #end({ alias, steps }: Position): SqlCondition {
    if (this.#path.end.kind === 'object') return ALWAYS;
    const value = this.#value(alias, steps);
    return this.#endsOnList() ? this.#list(value) : this.#single(value);
  }

  #single(value: SqlValue): SqlCondition {
    const equals = this.#equals(value);
    if (!this.comparison.matchesEmpty) return { text: equals ?? 'false', canBeNull: true };
    const isMissing = `${inParentheses(value.sql)} IS NULL`;
    return { text: equals === undefined ? isMissing : `(${isMissing} OR ${equals})`, canBeNull: false };
  }

  /**
   * Compares a list that is stored in a column of its owner. Equality uses an operator that an array index supports,
   * except for e-mail addresses.
   */
  #list(value: SqlValue): SqlCondition {
    const { operand, operator, matchesEmpty } = this.comparison;
    const type = LIST_TYPES.get(operand.kind);
    if (operator === '=' && type !== undefined && !matchesEmpty && !value.isEmail) {
      return { text: `${value.sql} && ${this.scope.parameter(operand.values, type)}`, canBeNull: true };
    }
    const alias = this.scope.alias();
    // A list of e-mail addresses can also contain other texts. The collation "C" makes PostgreSQL fold only ASCII
    // letters, as `foldEmail` does.
    const element = value.isEmail ? `${alias}.value COLLATE "C"` : `${alias}.value`;
    const { text } = this.#single({ ...value, sql: element });
    return { text: `EXISTS (SELECT FROM unnest(${value.sql}) AS ${alias}(value) WHERE ${text})`, canBeNull: false };
  }

  /**
   * Makes the comparison with the values. Undefined when the empty value is the only one and the type has no empty
   * text.
   */
  #equals(value: SqlValue): string | undefined {
    const { operand, matchesEmpty } = this.comparison;
    if (operand.kind === 'text' && matchesEmpty && !value.sqlType) {
      return compareSql(
        value,
        { ...this.comparison, operand: { kind: 'text', values: [...operand.values, ''] } },
        this.scope,
      );
    }
    return matchesEmpty && operand.values.length === 0 ? undefined : compareSql(value, this.comparison, this.scope);
  }

  /** True when the rest of the path is the id of a relation whose foreign key is in this row. */
  #isAtKey(alias: string, steps: readonly PathStep[]): boolean {
    return this.#idInOwner(alias, steps) !== undefined;
  }

  #idInOwner(alias: string, [step, ...rest]: readonly PathStep[]): string | undefined {
    const { end } = this.#path;
    if (
      !step ||
      rest.length > 0 ||
      step.many ||
      end.kind !== 'attribute' ||
      end.name !== idNameOf(this.scope.options.model)
    )
      return undefined;
    const { column } = this.#relation(step);
    return column === undefined ? undefined : `${alias}.${column}`;
  }

  #value(alias: string, steps: readonly PathStep[]): SqlValue {
    const { end } = this.#path;
    if (end.kind !== 'attribute')
      throw new Error(`the datapath ${this.#path.datapath} must end at a value, not at an object`);
    const { model, settings = {} } = this.scope.options;
    const idInOwner = this.#idInOwner(alias, steps);
    return {
      ...readValue(getAttribute(model, end.owner, end.name), alias, settings),
      ...(idInOwner !== undefined && { sql: idInOwner }),
    };
  }

  #id({ target }: PathStep, alias: string): string {
    const { model, settings = {} } = this.scope.options;
    return getAttribute(model, target, idNameOf(model)).sql(alias, settings);
  }

  get #idColumn(): string {
    return this.scope.options.model.idColumn ?? 'id';
  }

  #target(step: PathStep): SqlObject {
    return getSearchObject(this.scope.options.model, step.target);
  }

  #relation({ owner, relation }: PathStep): SqlRelation {
    return getRelation(this.scope.options.model, owner, relation);
  }

  #hasLongList(): boolean {
    return this.comparison.operand.values.length > SHORT_LIST;
  }

  #endsOnList(): boolean {
    const { end } = this.#path;
    return end.kind === 'attribute' && end.many;
  }

  #isManyAhead(steps: readonly PathStep[]): boolean {
    return this.#endsOnList() || steps.some(({ many }) => many);
  }
}

/** Maximum length of a list that may be compared with each row again. */
const SHORT_LIST = 20;

/**
 * Returns the columns of the owner and of the target that a relation compares, and its other conditions. Undefined when
 * the relation compares further columns.
 */
function equalColumns(
  { keyColumn, ownerColumn, where, join }: SqlRelation,
  { from, to, id }: { readonly from: string; readonly to: string; readonly id: string },
): { readonly owner: string; readonly target: string; readonly conditions: readonly string[] } | undefined {
  const columns =
    keyColumn === undefined
      ? { owner: `${from}.${id}`, target: `${to}.${ownerColumn ?? ''}` }
      : { owner: `${from}.${keyColumn}`, target: `${to}.${id}` };
  const conditions = where ? [where(to)] : [];
  const joined = [`${columns.target} = ${columns.owner}`, ...conditions].join(' AND ');
  return join?.(from, to) === joined ? { ...columns, conditions } : undefined;
}

/** Returns the column that is compared with the ids of a look-up. Undefined when the relation has no such column. */
function keyOf(
  { keyColumn, ownerColumn, many }: SqlRelation,
  { isSmall }: SqlObject,
): { readonly column: string; readonly isInTarget: boolean } | undefined {
  if (keyColumn !== undefined) return isSmall === true ? { column: keyColumn, isInTarget: false } : undefined;
  return ownerColumn !== undefined && many !== true ? { column: ownerColumn, isInTarget: true } : undefined;
}

/** Maps a kind of value to the SQL type of a column with a list of such values. */
const LIST_TYPES: ReadonlyMap<Operand['kind'], string> = new Map([
  ['text', 'text[]'],
  ['integer', 'bigint[]'],
]);

const ALWAYS: SqlCondition = { text: 'true', canBeNull: false };
