import { type AttributeShape, type ObjectModel, type ObjectShape, type RelationShape } from './model.js';
import { type NamesBelow, type ObjectBelow, type ValueBelow } from './model-types.js';

/** The description of one type of object in `defineModel`. `Name` is the union of the names of all types. */
export interface TypeDefinition<Name extends string = string> {
  /** The attributes by name. */
  readonly attributes: Readonly<Record<string, AttributeShape>>;
  /** The relations by name. Defaults to none. */
  readonly relations?: Readonly<Record<string, RelationShape & { readonly target: Name }>>;
  /** The names of the collections that objects of this type have. Defaults to none. */
  readonly collections?: readonly string[];
}

/** A model whose object types TypeScript knows. `DatapathOf`, `DatapathValue` and `ObjectOf` derive types from it. */
export interface DefinedModel<Types> extends ObjectModel {
  /** The object types as they were given to `defineModel`, by name. */
  readonly types: Types;
}

/**
 * Makes an object model from its object types. TypeScript infers the names, and rejects a relation to a missing type.
 * @param types  the object types by name
 * @param options  the other parts of the model, such as functions and limits. Defaults to none
 * @example
 * const model = defineModel({ order: { attributes: { total: { type: 'integer' } } } });
 * const total: DatapathOf<typeof model, 'order'> = 'order.total';
 */
export function defineModel<
  const Types extends { readonly [Name in keyof Types]: TypeDefinition<keyof Types & string> },
>(types: Types, options: Omit<ObjectModel, 'type'> = {}): DefinedModel<Types> {
  const shapes = new Map<string, ObjectShape>(
    Object.entries<TypeDefinition>(types).map(([name, type]) => [name, { relations: {}, ...type, name }]),
  );
  return { ...options, types, type: (name) => shapes.get(name) };
}

/** The object types of a model that `defineModel` made. */
export type TypesOf<Model> = Model extends DefinedModel<infer Types> ? Types : never;

/** All datapaths from a root through at most three relations, to attributes. `Root` is the name of an object type. */
export type DatapathOf<Model, Root extends keyof TypesOf<Model> & string> = `${Root}.${NamesBelow<
  TypesOf<Model>,
  Root,
  [1, 2, 3]
>}`;

/** The value of a datapath of any length, as `valueOf` of a context returns it. `never` for an unknown datapath. */
export type DatapathValue<Model, Path extends string> = Path extends `${infer Root}.${infer Rest}`
  ? ValueBelow<TypesOf<Model>, Root, Rest, false>
  : never;

/** An object in memory that `valuesOf` can read. Its properties are the attributes and relations of its type. */
export type ObjectOf<Model, Type extends keyof TypesOf<Model>> = ObjectBelow<TypesOf<Model>, Type>;
