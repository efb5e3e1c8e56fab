import {
  type AttributeShape,
  type FormDataIndex,
  type ObjectModel,
  type ObjectShape,
  type RelationShape,
} from '@ats/datapath';
import { formDataOf } from './form-data.js';

/** An attribute that conditions can name. */
export interface SearchAttribute extends AttributeShape {
  /** The only values there are. For a label: those that `[label]` may name. */
  readonly values?: readonly string[];
}

export interface SearchObject extends ObjectShape {
  readonly attributes: Readonly<Record<string, SearchAttribute>>;
  readonly relations: Readonly<Record<string, RelationShape>>;
}

/** An object model of `@ats/datapath`, with what searching adds. */
export interface SearchModel extends ObjectModel {
  type(name: string): SearchObject | undefined;
  /** How a form's value is reached: a relation to one object, whose attribute `value` it is. With `formItem`, and for the same items. */
  formRelation?(owner: string, index: FormDataIndex): RelationShape | undefined;
}

/** One place of a representation and the datapath that fills it. */
export interface SearchField {
  /** JSON pointer (RFC 6901) into the representation; `*` stands for each element of a list. */
  readonly pointer: string;
  /** From the root's object type, without its name. */
  readonly datapath: string;
  /** Searched by the `filter` parameter. */
  readonly filterable: boolean;
}

/** What a collection holds: which objects, and what of them clients see. */
export interface SearchSubject {
  readonly model: SearchModel;
  /** Name of the object type of the collection's items. */
  readonly root: string;
  readonly representation: readonly SearchField[];
  /** The attribute that `[label]` compares; `Label` unless told. */
  readonly labelAttribute?: string;
}

export const DEFAULT_LABEL_ATTRIBUTE = 'Label';

/** Own properties alone: a name such as `constructor` is none. */
export const ownOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

interface TypesOf<T> {
  type(name: string): T | undefined;
}

interface RelationsOf<R> extends TypesOf<{ readonly relations: Readonly<Record<string, R>> }> {
  formRelation?(owner: string, index: FormDataIndex): R | undefined;
}

/** @throws {Error} for a name that is not in the model: names come from the model or the program */
export function getSearchObject<T>(model: TypesOf<T>, name: string): T {
  const type = model.type(name);
  if (!type) throw new Error(`the object model has no type ${name}`);
  return type;
}

/** A relation, or the step to a form's value. @throws {Error} for a name that is not in the model */
export function getRelation<R>(model: RelationsOf<R>, owner: string, name: string): R {
  const formData = formDataOf(name);
  const relation = formData
    ? model.formRelation?.(owner, formData)
    : ownOf(getSearchObject(model, owner).relations, name);
  if (!relation) throw new Error(`the object type ${owner} has no relation ${name}`);
  return relation;
}

/** @throws {Error} for a name that is not in the model */
export function getAttribute<A>(
  model: TypesOf<{ readonly attributes: Readonly<Record<string, A>> }>,
  owner: string,
  name: string,
): A {
  const attribute = ownOf(getSearchObject(model, owner).attributes, name);
  if (!attribute) throw new Error(`the object type ${owner} has no attribute ${name}`);
  return attribute;
}
