import { type ObjectType } from './object-type.js';
import { type Collection } from './resource-url.js';

/** Where statements find the rows of a collection: the table, and the condition that keeps one type apart from its neighbours. */
export interface RowSource {
  /** Of the collection: what faults name as their `resource`. CONTRACT.md 11. */
  readonly name: string;
  readonly type: ObjectType;
  /** Narrows a table that several collections share, for example to one kind of application. */
  readonly fixed: Readonly<Record<string, string>>;
  /** The column that points to the owner, for a collection that lives below an item of another, or whose items are somebody's own. */
  readonly ownerColumn?: string;
  /** For items that are somebody's own: the column that is true for those that everybody sees. */
  readonly sharedColumn?: string;
}

/** A collection that clients read: objects of one type, under one or more paths, behind one pair of scopes. */
export interface Resource extends RowSource {
  /** Path segments below `/api/v1`; all serve the same, the first one stands in addresses. */
  readonly paths: readonly [Collection, ...string[]];
  /** The part of a scope before the colon. */
  readonly scope: string;
  /** Attributes that narrow the collection as query parameters of their own name, beside `search`. */
  readonly narrowedBy?: readonly string[];
  /** The order of a collection that is asked for none, as `sort` has it; by `id` unless told. */
  readonly order?: readonly string[];
  /** Names of types that relations of its items lead to, where that is less than for all objects of their type. */
  readonly leadsTo?: Readonly<Record<string, string>>;
}

export interface ResourceOptions {
  readonly name: string;
  readonly type: ObjectType;
  readonly paths: Resource['paths'];
  /** Called like the resource unless told. */
  readonly scope?: string;
  readonly fixed?: Readonly<Record<string, string>>;
  readonly ownerColumn?: string;
  readonly sharedColumn?: string;
  readonly narrowedBy?: readonly string[];
  readonly order?: readonly string[];
  readonly leadsTo?: Readonly<Record<string, string>>;
}

const known = new Map<string, Resource>();

/** Describes a resource; from then on `findResource` knows it. */
export function resource({ scope, fixed, ...options }: ResourceOptions): Resource {
  const described: Resource = { ...options, scope: scope ?? options.name, fixed: fixed ?? {} };
  known.set(options.name, described);
  return described;
}

/** The resource that a collection's name stands for, as bodies and faults write it. CONTRACT.md 11. */
export const findResource = (name: string): Resource | undefined => known.get(name);

/** Names of the collections that are not part of an item of another one, in alphabetical order. */
export const collectionNames = (): readonly string[] =>
  [...known.values()]
    .filter((described) => !isBelowAnother(described))
    .map(({ name }) => name)
    .sort();

const isBelowAnother = ({ ownerColumn, sharedColumn }: Resource): boolean =>
  ownerColumn !== undefined && sharedColumn === undefined;
