import { type Message, message } from '@ats/message';
import { type PastFunction } from '../syntax/ast.js';
import { type CollectionKey, collectionOf, patternOf, textsOf } from '../syntax/collection.js';
import { type Datapath } from '../syntax/datapath.js';
import { type CheckViolationCode, createViolation, DatapathCheckError } from '../syntax/errors.js';
import {
  type AttributeShape,
  attributeOf,
  type ObjectModel,
  type ObjectShape,
  relationOf,
  type ValueType,
} from './model.js';
import { assertShape, assertType, ModelError } from './model-error.js';
import { nameHint, namesOf, type NamePlace } from './name-hint.js';
import { suggestion } from './suggest.js';

/** One relation that a datapath passes. */
export interface ResolvedStep {
  /** The name of the relation. */
  readonly relation: string;
  /** The name of the object type that the relation leads to. */
  readonly target: string;
  /** True when the relation leads to several objects. */
  readonly many: boolean;
}

/** The end of a datapath: an attribute, a value in a collection, or an object (`reference`). */
export type DatapathEnd =
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'collection'; readonly key: CollectionKey }
  | { readonly kind: 'reference'; readonly relation: string; readonly target: string };

/** A datapath whose names were found in the object model, as plain read-only data. */
export interface ResolvedDatapath {
  /** The canonical text of the datapath, including the root. */
  readonly text: string;
  /** Name of the object type that the datapath begins with. */
  readonly root: string;
  /** The relations before the end, in the order of the text. */
  readonly steps: readonly ResolvedStep[];
  /** The name of the object type that has the last name of the datapath. */
  readonly owner: string;
  /** The attribute, the value in a collection or the object at the end of the datapath. */
  readonly end: DatapathEnd;
  /** The type of the values of the datapath. */
  readonly type: ValueType | 'reference';
  /** The function CHANGED or WAS. Present when `text` is a call of it. */
  readonly past?: PastFunction;
  /** All values that the datapath can have. Absent when the model does not limit them. */
  readonly values?: readonly string[];
  /** True when one of the relations is to-many, or when the end is a list. */
  readonly many: boolean;
}

/** A violation of one name. Its `offset` is relative to the start of the datapath. */
export interface NameViolation {
  readonly code: CheckViolationCode;
  readonly message: Message;
  readonly offset: number;
  readonly length: number;
  readonly hint: Message | undefined;
  readonly expected?: readonly string[];
  readonly found?: string;
}

/** Options of `resolveDatapath`. */
export interface ResolveOptions {
  /** Allows texts without the root, as in search keys: `user.firstname`. Defaults to false. */
  readonly rootOptional?: boolean;
}

/**
 * Looks up the names of a datapath that stands alone.
 * @param root name of the object type that the path begins with
 * @throws {DatapathCheckError} for an unknown name, with a similar name as a hint, and for a repeated to-many relation
 * @throws {RangeError} when the model has no object type called `root`
 * @throws {ModelError} when the model contradicts itself, see {@link checkModel}
 * Source: docs/reference/datapaths.md, "Syntax".
 */
export function resolveDatapath(
  path: Datapath,
  model: ObjectModel,
  root: string,
  options: ResolveOptions = {},
): ResolvedDatapath {
  const hasRoot = path.names[0] === root;
  const result =
    hasRoot || options.rootOptional === true
      ? followNames(path, model, { root, from: hasRoot ? 1 : 0 })
      : unknownRoot(path, model, [root]);
  if ('code' in result) throw new DatapathCheckError([createViolation(path.text, result)]);
  return result;
}

/** Looks up a datapath of an expression, which must begin with one of `roots`. */
export function findDatapath(
  path: Datapath,
  model: ObjectModel,
  roots: readonly string[],
): ResolvedDatapath | NameViolation {
  const [root = ''] = path.names;
  return roots.includes(root) ? followNames(path, model, { root, from: 1 }) : unknownRoot(path, model, roots);
}

function followNames(
  path: Datapath,
  model: ObjectModel,
  { root, from }: { root: string; from: number },
): ResolvedDatapath | NameViolation {
  const first = model.type(root);
  if (first === undefined) throw new RangeError(`the model has no object type "${root}"`);
  const steps: ResolvedStep[] = [];
  const text = from === 0 ? `${root}.${path.text}` : path.text;
  const relations = path.key === undefined ? path.names.length - 1 : path.names.length;
  assertShape(first);
  const shapes = [first];
  let shape = first;
  for (let index = from; index < relations; index++) {
    const name = path.names[index] ?? '';
    const relation = relationOf(shape, name);
    const target = relation === undefined ? undefined : model.type(relation.target);
    if (relation === undefined) return notARelation(path, index, { shapes, shape, model });
    if (target === undefined) throw ModelError.ofTarget(shape.name, name, relation.target);
    if (repeatsList(name, { shapes, shape, steps })) return repeatedList(path, index);
    steps.push({ relation: name, target: relation.target, many: relation.many === true });
    assertShape(target);
    shape = target;
    shapes.push(shape);
  }
  const walk = { text, root, steps, shapes, shape, model };
  return path.key === undefined ? endOnName(path, walk, from) : endOnKey(path, walk, path.key);
}

interface Walk extends NamePlace {
  readonly text: string;
  readonly root: string;
  readonly steps: readonly ResolvedStep[];
}

function endOnName(path: Datapath, walk: Walk, from: number): ResolvedDatapath | NameViolation {
  const last = path.names.length - 1;
  const name = path.names[last] ?? '';
  if (last < from) return onlyRoot(path, walk.shape);
  const attribute = attributeOf(walk.shape, name);
  if (attribute !== undefined) return endOn(walk, attribute, { kind: 'attribute', name });
  const relation = relationOf(walk.shape, name);
  if (relation === undefined) return unknownName(path, last, walk);
  if (repeatsList(name, walk)) return repeatedList(path, last);
  return endOn(
    walk,
    { type: 'reference', many: relation.many === true },
    { kind: 'reference', relation: name, target: relation.target },
  );
}

function endOnKey(path: Datapath, walk: Walk, key: CollectionKey): ResolvedDatapath | NameViolation {
  const { shape, model } = walk;
  const nameEnd = path.names.length === 0 ? 0 : path.names.join('.').length + 1;
  const { length } = key.collection;
  const collection = collectionOf(model, key.collection);
  if (collection === undefined) throw ModelError.ofCollection(key.collection);
  const texts = textsOf(collection);
  if (shape.collections?.includes(key.collection) !== true)
    return { code: 'no_collection', message: texts.noCollection(shape.name), offset: nameEnd, length, hint: undefined };
  const value = model.keyedValue?.(shape.name, key);
  if (value !== undefined) return endOn(walk, value, { kind: 'collection', key });
  const [first = ''] = key.parts;
  const [violation, offset] = [texts.unknownKey(shape.name, first), nameEnd + length + 1];
  return { code: 'unknown_key', message: violation, offset, length: first.length, hint: undefined };
}

function endOn(
  walk: Walk,
  { type, many }: { readonly type: AttributeShape['type'] | 'reference'; readonly many?: boolean },
  end: DatapathEnd,
): ResolvedDatapath {
  const { text, root, steps, shape } = walk;
  if (type !== 'reference') assertType(shape.name, end, type);
  const values = end.kind === 'attribute' ? closedValues(walk, end.name) : undefined;
  return {
    ...(values && { values }),
    text,
    root,
    steps,
    owner: shape.name,
    end,
    type,
    many: many === true || steps.some((step) => step.many),
  };
}

function closedValues({ root, steps, shape, model }: Walk, name: string): readonly string[] | undefined {
  const last = steps.at(-1);
  const through = last && { owner: steps.at(-2)?.target ?? root, relation: last.relation };
  return model.closedValues?.({ owner: shape.name, name, ...(through && { through }) });
}

/** Returns the position of one name. Datapaths have no blanks, so the lengths of the names before it are added up. */
function positionOf(path: Datapath, index: number): { offset: number; length: number } {
  const offset = path.names.slice(0, index).reduce((sum, name) => sum + name.length + 1, 0);
  return { offset, length: path.names[index]?.length ?? 0 };
}

function unknownName(path: Datapath, index: number, place: NamePlace): NameViolation {
  const { shape, model } = place;
  const name = path.names[index] ?? '';
  const violation = message`${shape.name} has no attribute or relation "${name}"`;
  const collection = shape.collections?.includes(name) === true ? collectionOf(model, name) : undefined;
  const hint = collection ? message`write ${`"${patternOf(collection)}"`}` : nameHint(path, index, place);
  return {
    code: 'unknown_name',
    message: violation,
    ...positionOf(path, index),
    hint,
    expected: namesOf(shape),
    found: name,
  };
}

function notARelation(path: Datapath, index: number, place: NamePlace): NameViolation {
  const { shape } = place;
  const name = path.names[index] ?? '';
  const expected = Object.keys(shape.relations);
  if (attributeOf(shape, name) === undefined) {
    const hint = nameHint(path, index, place);
    return {
      code: 'unknown_name',
      message: message`${shape.name} has no relation "${name}"`,
      ...positionOf(path, index),
      hint,
      expected,
      found: name,
    };
  }
  const violation = message`${`${shape.name}.${name}`} is a value: no name can follow it`;
  return {
    code: 'not_a_relation',
    message: violation,
    ...positionOf(path, index),
    hint: undefined,
    expected,
    found: name,
  };
}

/** True when `name` is a to-many relation that the datapath has already followed. */
function repeatsList(name: string, { shapes, shape, steps }: Pick<Walk, 'shapes' | 'shape' | 'steps'>): boolean {
  return steps.some(({ relation, many }, index) => many && relation === name && shapes[index]?.name === shape.name);
}

/**
 * Makes the violation of a repeated to-many relation. Each repetition would multiply the number of values by the length
 * of the list.
 */
function repeatedList(path: Datapath, index: number): NameViolation {
  const name = path.names[index] ?? '';
  return {
    code: 'repeated_list',
    message: message`a datapath must not follow the list "${name}" twice`,
    ...positionOf(path, index),
    hint: undefined,
  };
}

function onlyRoot(path: Datapath, shape: ObjectShape): NameViolation {
  const hint = attributeOf(shape, 'id') === undefined ? undefined : message`write ${`"${path.text}.id"`}`;
  return {
    code: 'not_a_value',
    message: message`"${path.text}" is an object, not a value`,
    ...positionOf(path, 0),
    hint,
  };
}

function unknownRoot(path: Datapath, model: ObjectModel, roots: readonly string[]): NameViolation {
  const name = path.names[0] ?? path.key?.collection ?? '';
  const withoutRoot = roots.find((root) => {
    const shape = model.type(root);
    return shape !== undefined && namesOf(shape).includes(name);
  });
  const hint =
    withoutRoot === undefined ? suggestion(name, roots) : message`did you mean "${`${withoutRoot}.${path.text}`}"?`;
  return {
    code: 'unknown_root',
    message: wrongStart(roots, name),
    offset: 0,
    length: name.length,
    hint,
    expected: roots,
    found: name,
  };
}

function wrongStart(roots: readonly string[], name: string): Message {
  const quoted = roots.map((root) => `"${root}"`);
  const last = quoted.pop() ?? '';
  if (quoted.length === 0) return message`a datapath starts here with ${last}, not with "${name}"`;
  return message`a datapath starts here with ${quoted} or ${last}, not with "${name}"`;
}
