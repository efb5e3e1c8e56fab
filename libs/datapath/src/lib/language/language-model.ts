import { type CollectionKey, collectionOf } from '../syntax/collection.js';
import { attributeOf, type ObjectModel, type ObjectShape, relationOf, type ValueType } from '../checking/model.js';

/** A key of a collection, with the name that an editor shows. */
export interface NamedKey {
  /** The first part of the key, such as `EUR`. */
  readonly key: string;
  /** A name of the value with this key, for people. */
  readonly label?: string | undefined;
}

/** Texts for people about an attribute or a relation. */
export interface PropertyText {
  /** A name of the attribute or relation, for people. */
  readonly label?: string | undefined;
  /** A sentence for people that describes the attribute or relation. */
  readonly description?: string | undefined;
}

/** An object model with the names and texts that an editor shows. */
export interface LanguageModel extends ObjectModel {
  /** True when expressions may use CHANGED and WAS, see `CheckOptions`. Defaults to false. */
  readonly hasPast?: boolean;
  /** Returns all keys that a collection of an object type can have. */
  keys?(objectType: string, collection: string): readonly NamedKey[];
  /**
   * Returns the values that completion suggests for a value of a collection, such as the options of a form item.
   * Undefined when they are not limited. Other values are no violation.
   */
  keyValues?(objectType: string, key: CollectionKey): readonly string[] | undefined;
  /** Returns the texts of an attribute, a relation, a collection or a key. */
  describe?(objectType: string, name: string): PropertyText | undefined;
}

/** The object or the value that the names of a datapath lead to. */
export interface Reached {
  readonly owner: ObjectShape | undefined;
  readonly name: string;
  /** The type of the reached object; undefined for a value. */
  readonly shape: ObjectShape | undefined;
  readonly type: ValueType | 'reference';
  readonly many: boolean;
  readonly values?: readonly string[] | undefined;
}

/** Follows the names of a datapath, including the root. Returns undefined for an unknown name. */
export function reach(names: readonly string[], model: LanguageModel, roots: readonly string[]): Reached | undefined {
  const [root = '', ...others] = names;
  const first = roots.includes(root) ? model.type(root) : undefined;
  if (first === undefined) return undefined;
  let reached: Reached = { owner: undefined, name: root, shape: first, type: 'reference', many: false };
  let through: { owner: string; relation: string } | undefined;
  for (const [index, name] of others.entries()) {
    const owner = reached.shape;
    if (owner === undefined) return undefined;
    if (owner.collections?.includes(name) === true && collectionOf(model, name) !== undefined)
      return keyedValue(owner, { collection: name, names: others.slice(index + 1) }, model, reached);
    const relation = relationOf(owner, name);
    const attribute = attributeOf(owner, name);
    if (relation === undefined && attribute === undefined) return undefined;
    const many = reached.many || (relation ?? attribute)?.many === true;
    if (relation !== undefined) {
      reached = { owner, name, shape: model.type(relation.target), type: 'reference', many };
      through = { owner: owner.name, relation: name };
    } else if (attribute !== undefined) {
      const values = model.closedValues?.({ owner: owner.name, name, ...(through && { through }) });
      reached = { owner, name, shape: undefined, type: attribute.type, many, values };
    }
  }
  return reached;
}

function keyedValue(
  owner: ObjectShape,
  { collection, names: [key = '', ...rest] }: { readonly collection: string; readonly names: readonly string[] },
  model: LanguageModel,
  { many }: Reached,
): Reached | undefined {
  const parts = key.split(':');
  const value = rest.length === 0 ? model.keyedValue?.(owner.name, { collection, parts }) : undefined;
  const name = parts[0] ?? '';
  if (value === undefined) return undefined;
  const values = model.keyValues?.(owner.name, { collection, parts });
  return { owner, name, shape: undefined, type: value.type, many: many || value.many === true, values };
}
