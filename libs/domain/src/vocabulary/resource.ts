import { type Message } from '@ats/message';
import { type ObjectType } from './object-type.js';

/** The source of a collection's rows: a table, and the conditions that select the rows of the collection. */
export interface RowSource {
  /** The resource's name, as violations give it in `resource`. */
  readonly name: string;
  readonly type: ObjectType;
  /** Maps names of columns to the value that they have for all items. Needed when several collections share a table. */
  readonly fixed: Readonly<Record<string, string>>;
  /** The column with the id of the owner, for items below another item and items that belong to a recruiter. */
  readonly ownerColumn?: string;
  /** The column that is true for items that all recruiters see, where items belong to a recruiter. */
  readonly sharedColumn?: string;
  /** True for a log. The service inserts and reads its rows but never changes them, and drops old partitions. */
  readonly isAppendOnly?: boolean;
  /**
   * True for a log that clients read through its own collection: events, deliveries and the audit log. The changes feed
   * omits its rows.
   */
  readonly isLog?: boolean;
}

/** Headings of the API reference; `apps/api/src/openapi/tags.ts` has their order. */
export type ResourceGroup = 'Recruitment' | 'Views' | 'Notifications' | 'People and access' | 'The service';

/** How the API reference presents a resource. */
export interface ResourceDescription {
  readonly group: ResourceGroup;
  readonly title: string;
  /** Description of the resource in Markdown. */
  readonly text: string;
  /** Example of a body that creates an item. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Rows that refer to an item and prevent its deletion. The object type explains the code `in_use` in `errorCodes`. */
export interface Usage {
  /** Name of the resource that the rows belong to. */
  readonly resource: string;
  readonly table: string;
  readonly column: string;
  /** The text of the violation. */
  readonly info: Message;
}

/** A query parameter with an id. An item matches when its list of ids contains the id, or when the list is empty. */
export interface AppliesToFilter {
  readonly parameter: string;
  /** The attribute of the items that has the list of ids. */
  readonly attribute: string;
  /** The description of the query parameter in the API reference. */
  readonly description: string;
}

/** The maximum number of items that clients may store. Source: docs/reference/limits.md, "Quotas". */
export interface Quota {
  readonly most: number;
  /**
   * Columns of the table that define groups: items with the same values in these columns form a group, and the quota
   * applies to each group. Defaults to one group with all items.
   */
  readonly per?: readonly string[];
  /** SQL condition on the items that count. Defaults to all items. */
  readonly where?: string;
}

/** A collection that clients read: objects of one type, under one or more paths, with one read and one write scope. */
export interface Resource extends RowSource {
  readonly describe: ResourceDescription;
  /**
   * The path segments under which clients read the collection, below `/api/v1`. All of them return the same items. URLs
   * of items use the first one.
   */
  readonly paths: readonly [string, ...string[]];
  /** The part of a scope before the colon. */
  readonly scope: string;
  /**
   * The scope that changes items which other credentials own, for a type with the relation `owner` to a credential.
   * Source: docs/reference/notifications.md, "Owners".
   */
  readonly adminScope?: string;
  /**
   * SQL for the ids of the two owners of the row `alias`: a credential and a recruiter. Null stands for no owner.
   * Defaults to the credential in `owner_id`.
   */
  readonly owners?: (alias: string) => { readonly credential: string; readonly recruiter: string };
  /** Attributes that are also query parameters of the collection. For example, `status` gives `?status=`. */
  readonly attributeFilters?: readonly string[];
  /** Query parameters with the id of an object. Each finds the items that apply to this object. */
  readonly appliesToFilters?: readonly AppliesToFilter[];
  /** The order of a collection when `sort` is absent, in the syntax of `sort`. Defaults to `id`. */
  readonly order?: readonly string[];
  /**
   * Maps the name of a relation to its target type for this resource, when that is more specific than the target type
   * in the object type's description.
   */
  readonly leadsTo?: Readonly<Record<string, string>>;
  readonly usedBy?: readonly Usage[];
  readonly quotas?: readonly Quota[];
}

export interface ResourceOptions extends Omit<Resource, 'paths' | 'scope' | 'fixed'> {
  /** Path segments. Defaults to the name of the resource. */
  readonly paths?: Resource['paths'];
  /** The part of a scope before the colon. Defaults to the name of the resource. */
  readonly scope?: string;
  readonly fixed?: Resource['fixed'];
}

const known = new Map<string, Resource>();

/**
 * Describes a resource and registers it.
 * @throws {Error} when another resource has the name
 */
export function resource(options: ResourceOptions): Resource {
  const { name, paths = [name], scope = name, fixed = {} } = options;
  if (known.has(name)) throw new Error(`the resource ${name} is described twice`);
  const described: Resource = { ...options, paths, scope, fixed };
  known.set(name, described);
  return described;
}

/** Returns all registered resources, sorted by name. */
export const allResources = (): readonly Resource[] => [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1));

/** Finds a resource by the name of its collection, as bodies and violations contain it. */
export const findResource = (name: string): Resource | undefined => known.get(name);

/**
 * Finds a resource that must exist: its name comes from the program, never from a client.
 * @throws {Error} when no resource has the name
 */
export function getResource(name: string): Resource {
  const found = known.get(name);
  if (!found) throw new Error(`there is no resource ${name}`);
  return found;
}

/** Names of all collections in alphabetical order, without those below an item of another collection. */
export const collectionNames = (): readonly string[] =>
  allResources()
    .filter((described) => !isBelowAnother(described))
    .map(({ name }) => name);

const isBelowAnother = ({ ownerColumn, sharedColumn }: Resource): boolean =>
  ownerColumn !== undefined && sharedColumn === undefined;
