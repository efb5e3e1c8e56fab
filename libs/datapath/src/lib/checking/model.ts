import { type CollectionKey, type FunctionSyntax, type SyntaxOptions } from '../syntax/collection.js';

/** Types of stored values. `rich_text` is compared as text. */
export type ValueType = 'integer' | 'decimal' | 'text' | 'rich_text' | 'boolean' | 'date' | 'datetime';

/** A stored value or the result of a method. `many` is true for a list of values, such as tags. */
export interface AttributeShape {
  /** The type of the value, or of each value in a list. */
  readonly type: ValueType;
  /** True for an attribute that is a list of values. */
  readonly many?: boolean;
}

/** A link to objects of another type. `many` is true for a to-many relation. */
export interface RelationShape {
  /** Name of an object type of the same model. */
  readonly target: string;
  /** True when the relation leads to several objects. */
  readonly many?: boolean;
}

/** The description of one kind of object: its attributes, relations and collections. */
export interface ObjectShape {
  /** The name of the object type. */
  readonly name: string;
  /** Maps the name of each attribute to its description. */
  readonly attributes: Readonly<Record<string, AttributeShape>>;
  /** Maps the name of each relation to its description. */
  readonly relations: Readonly<Record<string, RelationShape>>;
  /** The names of the collections that objects of this type have. Defaults to none. */
  readonly collections?: readonly string[];
}

/** An attribute of an object, and the relation through which a datapath reached the object. */
export interface AttributePlace {
  /** The name of the object type that has the attribute. */
  readonly owner: string;
  /** The name of the attribute. */
  readonly name: string;
  /** The last relation before the attribute. Absent when the object is the root of the datapath. */
  readonly through?: { readonly owner: string; readonly relation: string };
}

/** One value of a representation: its JSON pointer, and the datapath from the represented object. */
export interface RepresentedValue {
  /** The place of the value in the JSON, as a JSON pointer. */
  readonly pointer: string;
  /** The datapath of the value. */
  readonly datapath: string;
}

/**
 * A value that a function of the host gets. A date is a text `YYYY-MM-DD`; outside the years 0001 to 9999, the year has a
 * sign and six digits, as `Date` writes it. A datetime is a `Date`.
 */
export type ArgumentValue = number | string | boolean | Date;

/** A function that the host adds to the language, such as `UPPER(order.note)`. */
export interface HostFunction extends FunctionSyntax {
  /** The types of the arguments. A call has exactly as many. A datetime is converted to a date where one is expected. */
  readonly parameters: readonly ValueType[];
  /** The type of the result of a call. */
  readonly result: ValueType;
  /**
   * Computes the result. It must depend on its arguments only. It is not called when an argument is missing or has
   * another type: the result then is this argument. For an argument with many values it is called for each value. When
   * it throws, the result is unknown.
   */
  call(...values: readonly ArgumentValue[]): unknown;
}

/**
 * Describes everything that datapaths can reach. Names that it does not describe do not exist.
 * Source: docs/reference/datapaths.md, "Syntax".
 */
export interface ObjectModel extends SyntaxOptions {
  /** The functions that expressions may call. Defaults to none. */
  readonly functions?: readonly HostFunction[];
  /** Returns the object type that has this name, or undefined when there is none. */
  type(name: string): ObjectShape | undefined;
  /**
   * Returns the type of a value in a collection, or undefined for an unknown key. Keys come from the texts of clients.
   * If this function is missing, all keys are unknown.
   */
  keyedValue?(objectType: string, key: CollectionKey): AttributeShape | undefined;
  /**
   * Returns all values that an attribute can have, or undefined when they are not limited. A comparison with any other
   * value is a violation. If this function is missing, every value is accepted.
   */
  readonly closedValues?: (attribute: AttributePlace) => readonly string[] | undefined;
  /** Returns the values that the JSON of an object shows. Violations use them to suggest datapaths. */
  representation?(objectType: string): readonly RepresentedValue[];
}

export function attributeOf(shape: ObjectShape, name: string): AttributeShape | undefined {
  return Object.hasOwn(shape.attributes, name) ? shape.attributes[name] : undefined;
}

export function relationOf(shape: ObjectShape, name: string): RelationShape | undefined {
  return Object.hasOwn(shape.relations, name) ? shape.relations[name] : undefined;
}
