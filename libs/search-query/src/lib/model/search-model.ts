import {
  type AttributeShape,
  type CollectionKey,
  type DateClock,
  type ObjectModel,
  type ObjectShape,
  type RelationShape,
} from '@ats/datapath';
import { keyOfStep } from './collection-step.js';
import { type RequestLimits } from './limits.js';

/** An attribute that conditions can compare. */
export interface SearchAttribute extends AttributeShape {
  /**
   * All values that can occur, if they are known. For a label attribute, they are the labels that `[label]` accepts.
   */
  readonly values?: readonly string[];
  /** The format of a text, as in JSON Schema, such as `email`. */
  readonly format?: string;
  /** True when the texts can be e-mail addresses. `=` then ignores ASCII case. */
  readonly hasEmails?: boolean;
}

/** True for an attribute for which `=` ignores ASCII case: its format is `email`, or it `hasEmails`. */
export const comparesEmails = ({ format, hasEmails }: SearchAttribute): boolean =>
  format === 'email' || hasEmails === true;

/** An object type of `@ats/datapath`, whose attributes also have the properties that conditions need. */
export interface SearchObject extends ObjectShape {
  /** Maps the name of each attribute to its description. */
  readonly attributes: Readonly<Record<string, SearchAttribute>>;
  /** Maps the name of each relation to its description. */
  readonly relations: Readonly<Record<string, RelationShape>>;
}

/** An object model of `@ats/datapath`, with the attributes and relations that conditions need in addition. */
export interface SearchModel extends ObjectModel {
  /** Returns an object type by its name. */
  type(name: string): SearchObject | undefined;
  /**
   * Returns the to-one relation to the object that has a value of a collection. Parts of the key that were left out
   * have their default value, `KeyPart.absent`. It must return a relation for every key that `keyedValue` accepts.
   */
  keyedRelation?(owner: string, key: CollectionKey): RelationShape | undefined;
  /** The attribute with the value, in the objects that `keyedRelation` leads to. Defaults to `value`. */
  readonly valueAttribute?: string;
  /**
   * The attribute that identifies an object among the objects of its type. Conditions on a reference compare it.
   * Defaults to `id`.
   */
  readonly idAttribute?: string;
}

/** One attribute of a representation, and the datapath of its value. */
export interface SearchField {
  /** JSON pointer (RFC 6901) into the representation. `*` stands for each element of a list. */
  readonly pointer: string;
  /** The datapath from the root to the value, without the name of the root. */
  readonly datapath: string;
  /** True when the `filter` parameter searches this attribute. */
  readonly filterable: boolean;
}

/** Describes a collection: the type of its items and their representation. */
export interface SearchSubject {
  /** The object types and their relations. */
  readonly model: SearchModel;
  /** Name of the object type of the collection's items. */
  readonly root: string;
  /** The fields of the JSON, which pointers and the text filter read. Defaults to none; `where` needs none. */
  readonly representation?: readonly SearchField[];
  /** The attribute that `[label]` compares. Defaults to `label`. */
  readonly labelAttribute?: string;
  /**
   * Further names with which datapaths of `where` may begin: object types that are stored in the row of the item.
   * Defaults to none.
   */
  readonly otherRoots?: readonly string[];
  /**
   * The clock for dates such as `DATE("today")`. Without a clock, such dates are violations in `search` and `sort`,
   * and reading a `where` that needs the clock throws an error (see `whereNeedsClock`). A `timeZone` that is no IANA
   * name causes an error, too.
   */
  readonly clock?: DateClock;
  /**
   * True for parameters that were checked when they were stored. A second equals sign is then the first character of a
   * value.
   */
  readonly isStored?: boolean;
  /** Limits of a request that differ from `SEARCH_LIMITS`. */
  readonly limits?: Partial<RequestLimits>;
}

export const DEFAULT_LABEL_ATTRIBUTE = 'label';

/** Returns the name of the attribute that identifies an object. */
export const idNameOf = ({ idAttribute = 'id' }: { readonly idAttribute?: string }): string => idAttribute;

/** Reads only an own property, so that names such as `constructor` are unknown. */
export const ownOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

interface TypesOf<T> {
  type(name: string): T | undefined;
}

interface RelationsOf<R> extends TypesOf<{ readonly relations: Readonly<Record<string, R>> }> {
  keyedRelation?(owner: string, key: CollectionKey): R | undefined;
}

/**
 * Returns an object type.
 * @throws {Error} for an unknown name. This is a programming error, because names come from the model or the program
 */
export function getSearchObject<T>(model: TypesOf<T>, name: string): T {
  const type = model.type(name);
  if (!type) throw new Error(`the object model has no type ${name}`);
  return type;
}

/**
 * Returns a relation, or the step to a value of a collection.
 * @throws {Error} for an unknown name
 */
export function getRelation<R>(model: RelationsOf<R>, owner: string, name: string): R {
  const key = keyOfStep(name);
  const relation = key ? model.keyedRelation?.(owner, key) : ownOf(getSearchObject(model, owner).relations, name);
  if (!relation) throw new Error(`the object type ${owner} has no relation ${name}`);
  return relation;
}

/**
 * Returns an attribute.
 * @throws {Error} for an unknown name
 */
export function getAttribute<A>(
  model: TypesOf<{ readonly attributes: Readonly<Record<string, A>> }>,
  owner: string,
  name: string,
): A {
  const attribute = ownOf(getSearchObject(model, owner).attributes, name);
  if (!attribute) throw new Error(`the object type ${owner} has no attribute ${name}`);
  return attribute;
}
