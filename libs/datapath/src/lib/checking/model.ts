/** Types of stored values. `rich_text` compares as text. */
export type ValueType = 'integer' | 'decimal' | 'text' | 'rich_text' | 'boolean' | 'date' | 'datetime';

/** A property, or the result of a described method; from here one cannot tell. `many`: a list, such as tags. */
export interface AttributeShape {
  readonly type: ValueType;
  readonly many?: boolean;
}

export interface RelationShape {
  /** Name of an object type of the same model. */
  readonly target: string;
  readonly many?: boolean;
}

export interface ObjectShape {
  readonly name: string;
  readonly attributes: Readonly<Record<string, AttributeShape>>;
  readonly relations: Readonly<Record<string, RelationShape>>;
  /** Whether `formdata.<item>` may follow. */
  readonly hasFormData?: boolean;
}

/** What datapaths may reach. Names that are not described here do not exist. */
export interface ObjectModel {
  type(name: string): ObjectShape | undefined;
  /** The type of a form item on an object type; undefined when there is no such item. */
  formItem?(objectType: string, itemId: string): AttributeShape | undefined;
}

export function attributeOf(shape: ObjectShape, name: string): AttributeShape | undefined {
  return Object.hasOwn(shape.attributes, name) ? shape.attributes[name] : undefined;
}

export function relationOf(shape: ObjectShape, name: string): RelationShape | undefined {
  return Object.hasOwn(shape.relations, name) ? shape.relations[name] : undefined;
}
