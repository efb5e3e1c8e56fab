import { type ValueType } from './model.js';

/** Maps each value type of a model to the TypeScript type of its values in memory. */
export interface Scalars {
  /** The value of the type `integer`. */
  readonly integer: number;
  /** The value of the type `decimal`. */
  readonly decimal: number;
  /** The value of the type `text`. */
  readonly text: string;
  /** The value of the type `rich_text`. */
  readonly rich_text: string;
  /** The value of the type `boolean`. */
  readonly boolean: boolean;
  /** The value of the type `date`. */
  readonly date: string | Date;
  /** The value of the type `datetime`. */
  readonly datetime: string | Date;
}

/** The TypeScript type of the values of one value type, such as `number` for `integer`. */
export type ScalarOf<Type extends ValueType> = Scalars[Type];

/** The attributes of an object type, by name. */
export type AttributesOf<Type> = Type extends { readonly attributes: infer Attributes } ? Attributes : never;

/** The relations of an object type, by name. */
export type RelationsOf<Type> = Type extends { readonly relations: infer Relations } ? Relations : Record<never, never>;

/** The name of the object type that a relation leads to. */
export type TargetOf<Relation> = Relation extends { readonly target: infer Target } ? Target : never;

/** True when the attribute or relation is to-many, or when `Before` says that a relation before it is. */
export type IsMany<Shape, Before = false> = Shape extends { readonly many: true } ? true : Before;

/** The keys of an object that are strings, without numbers and symbols. */
export type Name<Keys> = Keys & string;

/** The value of an attribute, as contexts return it: a list for `many`, and null when it is missing. */
export type Values<Attribute, Many> = Attribute extends { readonly type: infer Type extends ValueType }
  ? Many extends true
    ? readonly ScalarOf<Type>[]
    : ScalarOf<Type> | null
  : never;

/**
 * The datapaths from an object type to attributes, without the root. They pass at most as many relations as `Steps` has
 * items.
 */
export type NamesBelow<Types, Type extends keyof Types, Steps extends readonly unknown[]> =
  | Name<keyof AttributesOf<Types[Type]>>
  | (Steps extends readonly [unknown, ...infer Rest]
      ? {
          [Relation in Name<keyof RelationsOf<Types[Type]>>]: TargetOf<
            RelationsOf<Types[Type]>[Relation]
          > extends infer Target extends keyof Types
            ? `${Relation}.${NamesBelow<Types, Target, Rest>}`
            : never;
        }[Name<keyof RelationsOf<Types[Type]>>]
      : never);

/** The value of a datapath that begins at an object type. `Path` has no root. */
export type ValueBelow<Types, Type, Path, Many> = Type extends keyof Types
  ? Path extends `${infer Relation}.${infer Rest}`
    ? Relation extends keyof RelationsOf<Types[Type]>
      ? ValueBelow<
          Types,
          TargetOf<RelationsOf<Types[Type]>[Relation]>,
          Rest,
          IsMany<RelationsOf<Types[Type]>[Relation], Many>
        >
      : never
    : Path extends keyof AttributesOf<Types[Type]>
      ? Values<AttributesOf<Types[Type]>[Path], IsMany<AttributesOf<Types[Type]>[Path], Many>>
      : never
  : never;

/** An object in memory of an object type, with the objects that its relations lead to. */
export type ObjectBelow<Types, Type extends keyof Types> = {
  readonly [Attribute in keyof AttributesOf<Types[Type]>]?: Values<
    AttributesOf<Types[Type]>[Attribute],
    IsMany<AttributesOf<Types[Type]>[Attribute]>
  >;
} & {
  readonly [Relation in keyof RelationsOf<Types[Type]>]?: TargetOf<
    RelationsOf<Types[Type]>[Relation]
  > extends infer Target extends keyof Types
    ? IsMany<RelationsOf<Types[Type]>[Relation]> extends true
      ? readonly ObjectBelow<Types, Target>[]
      : ObjectBelow<Types, Target> | null
    : never;
};
