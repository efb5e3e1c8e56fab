import { type CollectionKey, collectionOf } from '../syntax/collection.js';
import { KEYWORDS } from '../syntax/token.js';
import { type ObjectModel, type ObjectShape, type ValueType } from './model.js';

const TYPES: ReadonlySet<unknown> = new Set<ValueType>([
  'integer',
  'decimal',
  'text',
  'rich_text',
  'boolean',
  'date',
  'datetime',
]);

/**
 * The error for an object model that contradicts itself. The host must correct the model; no text of a client causes
 * this error.
 */
export class ModelError extends Error {
  /** All mistakes of the model. */
  readonly problems: readonly string[];

  /** The name of the class. */
  override readonly name = 'ModelError';

  /** @param problems  one sentence for each mistake of the model */
  constructor(problems: readonly string[]) {
    super(`the object model is invalid: ${problems.join('; ')}`);
    this.problems = problems;
  }

  /** The error of a relation whose object type the model lacks. */
  static ofTarget(owner: string, relation: string, target: string): ModelError {
    return new ModelError([targetProblem(owner, relation, target)]);
  }

  /** The error of a collection that the model does not describe. */
  static ofCollection(name: string): ModelError {
    return new ModelError([`a datapath was parsed with the collection "${name}", which the model does not describe`]);
  }

  /** The error of a function that the model lacks. */
  static ofFunction(name: string): ModelError {
    return new ModelError([`an expression was parsed with the function ${name}, which the model does not describe`]);
  }
}

const targetProblem = (owner: string, relation: string, target: string): string =>
  `${owner}.${relation} links to "${target}", which is no object type of the model`;

const typeProblem = (place: string, type: unknown): string =>
  `${place} has the unknown type ${JSON.stringify(type)}; expected one of ${[...TYPES].join(', ')}`;

/**
 * Checks that a type exists.
 * @throws {ModelError} when the type of an attribute or of a value in a collection is unknown
 */
export function assertType(
  owner: string,
  end: { readonly kind: string; readonly name?: string; readonly key?: CollectionKey },
  type: ValueType,
): void {
  if (!TYPES.has(type)) throw new ModelError([typeProblem(`${owner}.${end.name ?? end.key?.collection ?? ''}`, type)]);
}

/**
 * Checks the description of an object type.
 * @throws {ModelError} when a model in JavaScript lacks attributes or relations
 */
export function assertShape(shape: ObjectShape): void {
  const { attributes, relations }: Partial<ObjectShape> = shape;
  // This check runs for every step of every datapath, so the problems are listed only when there are some.
  if (typeof attributes === 'object' && typeof relations === 'object') return;
  throw new ModelError(missingOf(shape.name, shape));
}

const missingOf = (name: string, { attributes, relations }: Partial<ObjectShape>): readonly string[] => [
  ...(typeof attributes === 'object' ? [] : [`${name} has no attributes; write {} when it has none`]),
  ...(typeof relations === 'object' ? [] : [`${name} has no relations; write {} when it has none`]),
];

/**
 * Checks everything that datapaths can reach from `roots`: object types, attributes and relations. A host should call
 * it once, when it starts. Values of collections are not checked, because a model cannot list them.
 * @throws {ModelError} with all mistakes of the model
 */
export function checkModel(model: ObjectModel, roots: readonly string[]): void {
  const problems: string[] = [...functionProblems(model)];
  const reached = new Set<string>(roots);
  // The loop adds the targets of relations to the set while it runs, and visits them, too.
  for (const name of reached) {
    const shape = model.type(name);
    if (shape !== undefined) problems.push(...problemsOf(name, shape, model));
    else if (roots.includes(name)) problems.push(`the root "${name}" is no object type of the model`);
    for (const target of targetsOf(shape)) reached.add(target);
  }
  if (problems.length > 0) throw new ModelError(problems);
}

/** Returns the entries of a record. A model in JavaScript may lack records that its types require. */
const entriesOf = <Value>(named: Readonly<Record<string, Value>> | undefined): readonly [string, Value][] =>
  Object.entries(named ?? {});

const targetsOf = (shape: ObjectShape | undefined): readonly string[] =>
  entriesOf(shape?.relations).map(([, { target }]) => target);

const FUNCTION_NAME = /^[A-Z][A-Z0-9_]*$/;
const RESERVED: ReadonlySet<string> = new Set(KEYWORDS);

function functionProblems({ functions = [] }: ObjectModel): readonly string[] {
  return functions.flatMap(({ name, parameters, result }, index) => [
    ...(FUNCTION_NAME.test(name)
      ? []
      : [`the name of the function ${JSON.stringify(name)} must be capital letters, digits and "_"`]),
    ...(RESERVED.has(name) ? [`the function ${name} has the name of a keyword`] : []),
    ...(functions.findIndex((other) => other.name === name) < index ? [`there are two functions ${name}`] : []),
    ...[...parameters, result].filter((type) => !TYPES.has(type)).map((type) => typeProblem(`${name}()`, type)),
  ]);
}

function problemsOf(name: string, shape: ObjectShape, model: ObjectModel): readonly string[] {
  const { attributes, relations, collections }: Partial<ObjectShape> = shape;
  return [
    ...(shape.name === name ? [] : [`the object type "${name}" is called ${JSON.stringify(shape.name)}`]),
    ...missingOf(name, shape),
    ...entriesOf(attributes)
      .filter(([, { type }]) => !TYPES.has(type))
      .map(([attribute, { type }]) => typeProblem(`${name}.${attribute}`, type)),
    ...entriesOf(relations)
      .filter(([, { target }]) => model.type(target) === undefined)
      .map(([relation, { target }]) => targetProblem(name, relation, target)),
    ...entriesOf(relations)
      .filter(([relation]) => collectionOf(model, relation) !== undefined)
      .map(([relation]) => `${name}.${relation} is a relation with the name of a collection`),
    ...(collections ?? [])
      .filter((collection) => collectionOf(model, collection) === undefined)
      .map((collection) => `${name} has the collection "${collection}", which the model does not describe`),
  ];
}
