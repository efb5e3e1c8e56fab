import {
  type Comparison,
  type Condition,
  type ExpressionCondition,
  type Path,
  type PathStep,
  type SortKey,
  type TextFilter,
} from '../model/condition.js';
import { compileExpression, type EvaluationContext } from '@ats/datapath';
import { compareScalars, comparisonTest, containsTest, Moment, readScalar, type Scalar } from './value-test.js';
import { comparesEmails, getAttribute, idNameOf, type SearchModel } from '../model/search-model.js';

/** An object in memory. Its properties are attributes and related objects, under the names of the model. */
export type MemoryObject = Readonly<Record<string, unknown>>;

/** Options of `compileConditionClosure` and `compileSortComparator`. */
export interface ClosureOptions {
  /** The object types and their relations. */
  readonly model: SearchModel;
  /** Reads an attribute of an object. Defaults to the property with that name. */
  readonly readAttribute?: (owner: string, name: string, object: MemoryObject) => unknown;
}

/**
 * Compiles a condition to a predicate. It gives the same result as the SQL of `compileConditionSql`. It reads only
 * names of the model. A missing property, or a value of another type, counts as null.
 */
export function compileConditionClosure(
  condition: Condition,
  options: ClosureOptions,
): (object: MemoryObject) => boolean {
  switch (condition.kind) {
    case 'all': {
      const tests = condition.conditions.map((one) => compileConditionClosure(one, options));
      return (object) => tests.every((test) => test(object));
    }
    case 'filter':
      return compileFilter(condition, options);
    case 'expression':
      return compileWhere(condition, options);
    case 'comparison':
      return compileComparison(condition, options);
  }
}

/** Compiles sort keys to a comparator. It gives the same order as the SQL of `compileSortSql`. */
export function compileSortComparator(
  keys: readonly SortKey[],
  options: ClosureOptions,
): (left: MemoryObject, right: MemoryObject) => number {
  const orders = keys.map(({ path, isDescending }) => ({ read: compilePath(path, options), isDescending }));
  const idOf = ({ [idNameOf(options.model)]: id }: MemoryObject): Scalar =>
    typeof id === 'string' ? readScalar(id, 'text') : readScalar(id, 'integer');
  return (left, right) => {
    for (const { read, isDescending } of orders) {
      const order = compareWithNullLast(read(left)[0] ?? null, read(right)[0] ?? null, isDescending);
      if (order !== 0) return order;
    }
    return compareWithNullLast(idOf(left), idOf(right), false);
  };
}

function compareWithNullLast(left: Scalar, right: Scalar, isDescending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return isDescending ? compareScalars(right, left) : compareScalars(left, right);
}

function compileComparison(comparison: Comparison, options: ClosureOptions): (object: MemoryObject) => boolean {
  const { path, isNegated, matchesEmpty } = comparison;
  const read = compilePath(path, options);
  const { end } = path;
  const isEmail = end.kind === 'attribute' && comparesEmails(getAttribute(options.model, end.owner, end.name));
  const test = comparisonTest(comparison, isEmail);
  return (object) => {
    const values = read(object);
    const isEmpty = path.many && values.length === 0;
    return (matchesEmpty && isEmpty ? true : values.some(test)) !== isNegated;
  };
}

function compileFilter({ fields, text }: TextFilter, options: ClosureOptions): (object: MemoryObject) => boolean {
  const test = containsTest(text);
  const reads = fields.map((path) => compilePath(path, options));
  return (object) => reads.some((read) => read(object).some(test));
}

function compileWhere(
  { checked, paths, clock }: ExpressionCondition,
  options: ClosureOptions,
): (object: MemoryObject) => boolean {
  const expression = compileExpression(checked);
  const reads = new Map(
    checked.paths.map(({ text }, index) => {
      const path = paths[index];
      return [text, path && { read: compilePath(path, options), many: path.many }];
    }),
  );
  const toValue = (value: Scalar): unknown => (value instanceof Moment ? new Date(value.ms) : value);
  return (object) => {
    const valueOf = (datapath: string): unknown => {
      const path = reads.get(datapath);
      const values = (path?.read(object) ?? []).map(toValue);
      return path?.many === true ? values : (values[0] ?? null);
    };
    // `readWhere` has refused an expression that needs a clock without one, so an absent clock is never read.
    return expression.test({ ...clock, valueOf } as EvaluationContext);
  };
}

type ReadValues = (object: MemoryObject) => readonly Scalar[];
type Walk = (object: MemoryObject | null) => readonly Scalar[];

/**
 * Compiles a path to a function that returns all its values for an object. A to-one path has exactly one value, which
 * may be null.
 */
function compilePath({ steps, end }: Path, { readAttribute = readProperty }: ClosureOptions): ReadValues {
  let walk: Walk;
  if (end.kind === 'object') walk = (object) => (object ? [true] : [null]);
  else if (end.many)
    walk = (object) =>
      listOf(object && readAttribute(end.owner, end.name, object)).map((value) => readScalar(value, end.type));
  else walk = (object) => [object ? readScalar(readAttribute(end.owner, end.name, object), end.type) : null];
  for (const step of [...steps].reverse()) walk = compileStep(step, walk, readAttribute);
  return walk;
}

function compileStep(
  { relation, many, label, target }: PathStep,
  rest: Walk,
  readAttribute: NonNullable<ClosureOptions['readAttribute']>,
): Walk {
  if (!many) return (object) => rest(object && toObject(readProperty('', relation, object)));
  const isMeant = (element: MemoryObject): boolean =>
    !label || readAttribute(target, label.attribute, element) === label.text;
  return (object) =>
    listOf(object && readProperty('', relation, object)).flatMap((value) => {
      const element = toObject(value);
      return element && isMeant(element) ? rest(element) : [];
    });
}

const readProperty = (_owner: string, name: string, object: MemoryObject): unknown =>
  Object.hasOwn(object, name) ? object[name] : null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const toObject = (value: unknown): MemoryObject | null =>
  typeof value === 'object' && value !== null ? (value as MemoryObject) : null;
