import { type SqlRelation } from '@ats/search-query';
import { type WriteRule } from './attribute.js';

/**
 * What the representation shows of a relation. A list names attributes of the target, `*` at the end marks one of a
 * referenced object that the `filter` parameter searches; a relation of the target brings what it shows itself. A map gives
 * JSON pointers below the relation's name and datapaths from its owner.
 */
export type Shows = readonly string[] | Readonly<Record<string, string>>;

export interface RelationOptions {
  readonly shows?: Shows;
  /** The representation's name for it, when it is not the relation's. */
  readonly pointer?: string;
  readonly nullable?: boolean;
  /** The attribute of the target that has a value exactly when there is one to show; the first that is shown unless told. */
  readonly presentIf?: string;
  /** Written as `<name>_id`. */
  readonly write?: WriteRule;
  /** The representation holds the bare id too, at `/<name>_id`. */
  readonly showsId?: boolean;
  /** For an integrator, where the name does not say it. */
  readonly description?: string;
  readonly column?: string;
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
  readonly description?: string;
  /** The foreign key of a relation to one; absent for embedded ones and those to many. */
  readonly column?: string;
  /** For a relation to many: the column of the target that points back. */
  readonly foreignKey?: string;
}

export type NamedRelation = (name: string) => Relation;

const shared = (name: string, options: RelationOptions) => ({
  kind: 'relation' as const,
  nullable: options.nullable ?? false,
  shows: options.shows ?? [],
  pointer: options.pointer ?? name,
  showsId: options.showsId ?? false,
  ...(options.presentIf && { presentIf: options.presentIf }),
  ...(options.write && { write: options.write }),
  ...(options.description && { description: options.description }),
});

/** A foreign key, in the column `<name>_id` unless told. */
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
  /** The owner's column with the target's id. */
  readonly key: string;
  /** What else the target must be. */
  readonly where?: (to: string) => string;
}

/** Another view of the same row, or of one that a key leads to if it is of the right kind; never written. */
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

/** An object that lives in its owner's row. */
export const embedded =
  (target: string, options: RelationOptions = {}): NamedRelation =>
  (name) => ({
    ...shared(name, options),
    target,
    many: false,
  });

/** Rows of another table that point back and are kept in an order of their own. */
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

export interface LogOptions extends RelationOptions {
  /** The column of the target that points back. */
  readonly ownerColumn: string;
  /** The column that both tables have with the same value, and by which they are partitioned. */
  readonly partitionedBy: string;
  /** The column of the target that orders the elements. */
  readonly orderedBy: string;
}

/** Rows of another table that the service adds to its owner one by one; never written with it. */
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
