import { type SqlRelation } from '@ats/search-query';
import { type WriteRule } from './attribute-options.js';

/**
 * The part of a relation that the representation shows: a list or a map.
 *
 * - A list has the names of properties of the target. A `*` after a name marks an attribute that the `filter` parameter
 *   searches. When a name is a relation, the `shows` of that relation says which part of it is shown.
 * - In a map, each key is a JSON pointer below the relation's name. Its value is a datapath from the relation's owner.
 */
export type Shows = readonly string[] | Readonly<Record<string, string>>;

export const isList = (shows: Shows): shows is readonly string[] => Array.isArray(shows);

export interface RelationOptions {
  readonly shows?: Shows;
  /** Name in the representation. Defaults to the relation's name. */
  readonly pointer?: string;
  readonly nullable?: boolean;
  /** The attribute of the target that is null exactly when there is no target. Defaults to the first shown attribute. */
  readonly presentIf?: string;
  /** The rule for writes. Clients write the relation in the property `<name>_id`. */
  readonly write?: WriteRule;
  /** True when the representation also has the id alone, at `/<name>_id`. */
  readonly showsId?: boolean;
  /** True for a list that is too large for pages. Only single items show it. */
  readonly onlyInItems?: boolean;
  /** Text for integrators. Leave it out when the relation's name says enough. */
  readonly description?: string;
  readonly column?: string;
  /** False for related objects whose values are never in snapshots of events. Defaults to true. */
  readonly inFacts?: boolean;
  /**
   * SQL condition on the rows `alias` that the relation can lead to. Closed lists of attributes behind the relation
   * then contain only values of these rows.
   */
  readonly among?: (alias: string) => string;
  /** The documented values behind this relation, by the name of the attribute of the target. */
  readonly known?: Readonly<Record<string, readonly string[]>>;
}

export interface Relation extends SqlRelation {
  readonly kind: 'relation';
  readonly many: boolean;
  readonly nullable: boolean;
  readonly shows: Shows;
  readonly presentIf?: string;
  readonly pointer: string;
  readonly write?: WriteRule;
  readonly showsId: boolean;
  readonly onlyInItems: boolean;
  readonly description?: string;
  /** False for related objects whose values are never in snapshots of events. */
  readonly inFacts: boolean;
  readonly among?: (alias: string) => string;
  readonly known?: Readonly<Record<string, readonly string[]>>;
  /** The foreign key column of a to-one relation. Absent for embedded, joined and to-many relations. */
  readonly column?: string;
  /**
   * The column of the target that has the id of the owner. Present for a to-many relation that is written with its
   * owner.
   */
  readonly foreignKey?: string;
}

export type NamedRelation = (name: string) => Relation;

const shared = (name: string, options: RelationOptions) => ({
  kind: 'relation' as const,
  nullable: options.nullable ?? false,
  shows: options.shows ?? [],
  pointer: options.pointer ?? name,
  showsId: options.showsId ?? false,
  onlyInItems: options.onlyInItems ?? false,
  inFacts: options.inFacts ?? true,
  ...(options.presentIf && { presentIf: options.presentIf }),
  ...(options.write && { write: options.write }),
  ...(options.description && { description: options.description }),
  ...(options.among && { among: options.among }),
  ...(options.known && { known: options.known }),
});

/** A to-one relation by a foreign key. The column defaults to `<name>_id`. */
export const toOne =
  (target: string, options: RelationOptions = {}): NamedRelation =>
  (name) => {
    const column = options.column ?? `${name}_id`;
    return {
      ...shared(name, options),
      target,
      many: false,
      column,
      keyColumn: column,
      isRequired: options.nullable !== true,
      join: (from, to) => `${to}.id = ${from}.${column}`,
    };
  };

export interface JoinedOptions extends RelationOptions {
  /** The owner's column that has the target's id. */
  readonly key: string;
  /** SQL of a further condition on the target. */
  readonly where?: (to: string) => string;
}

/** A read-only to-one relation to the row whose id is in `key`, if this row meets the condition. */
export const joined =
  (target: string, { key, where, ...options }: JoinedOptions): NamedRelation =>
  (name) => ({
    ...shared(name, options),
    target,
    many: false,
    keyColumn: key,
    ...(where && { where }),
    join: (from, to) => [`${to}.id = ${from}.${key}`, ...(where ? [where(to)] : [])].join(' AND '),
  });

/** A to-one relation to an object that is stored in its owner's row. */
export const embedded =
  (target: string, options: RelationOptions = {}): NamedRelation =>
  (name) => ({
    ...shared(name, options),
    target,
    many: false,
  });

/**
 * A to-many relation to rows that have the id of their owner and a position. A write of the owner also writes these
 * rows.
 */
export const toMany =
  (target: string, foreignKey: string, options: RelationOptions = {}): NamedRelation =>
  (name) => ({
    ...shared(name, options),
    target,
    many: true,
    foreignKey,
    ownerColumn: foreignKey,
    join: (from, to) => `${to}.${foreignKey} = ${from}.id`,
    orderBy: (to) => `${to}.position`,
  });

/**
 * A to-many relation to rows that refer to the object by a foreign key, in the order of their ids. Clients change the
 * relation by writing those rows.
 */
export const referring =
  (target: string, ownerColumn: string, options: RelationOptions = {}): NamedRelation =>
  (name) => ({
    ...shared(name, options),
    target,
    many: true,
    ownerColumn,
    join: (from, to) => `${to}.${ownerColumn} = ${from}.id`,
    orderBy: (to) => `${to}.id`,
  });

export interface LogOptions extends RelationOptions {
  /** The column of the target that has the id of the owner. */
  readonly ownerColumn: string;
  /** The column by which both tables are partitioned. Related rows have the same value in this column. */
  readonly partitionedBy: string;
  /** The column of the target by which the elements are sorted. */
  readonly orderedBy: string;
}

/** A to-many relation to rows that the service appends one by one. Clients never write them. */
export const logOf =
  (target: string, { ownerColumn, partitionedBy, orderedBy, ...options }: LogOptions): NamedRelation =>
  (name) => ({
    ...shared(name, options),
    target,
    many: true,
    ownerColumn,
    join: (from, to) => `${to}.${ownerColumn} = ${from}.id AND ${to}.${partitionedBy} = ${from}.${partitionedBy}`,
    orderBy: (to) => `${to}.${orderedBy}`,
  });
