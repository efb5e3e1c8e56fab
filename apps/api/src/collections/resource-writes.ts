import {
  bodyViolations,
  FORM_VALUES_ERROR_CODES,
  lockForChange,
  type Removal,
  type Resource,
  STATE_ERROR_CODES,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { type Action } from '../vocabulary/scopes.js';
import { type Work } from './unit-of-work.js';

/** The write rules of one resource. It has a method for each verb that its controller serves. */
export interface ResourceWrites {
  /**
   * Names of the properties whose texts contain datapaths, and of the properties on which the meaning of these texts
   * depends. A body that changes none of these properties needs no scopes for the datapaths, see `checkTextScopes`.
   */
  readonly texts?: readonly string[];
  /** Creates an item. @returns its id */
  create?(work: Work, body: WriteBody): Promise<number>;
  /**
   * Replaces an item. PATCH calls it with the whole item after the change.
   * @returns the representation after the change as JSON text, if it is known; otherwise it is read
   */
  replace?(work: Work, id: number, body: WriteBody): Promise<string | void>;
  /** Removes an item. @param flags  names of the parameters of `removeFlags` that the request has */
  remove?(work: Work, id: number, flags: ReadonlySet<string>): Promise<void>;
  /** Removes an item like `remove`, and returns the removed rows. A dry run calls it and then rolls back. */
  removal?(work: Work, id: number): Promise<readonly Removal[]>;
  /**
   * Finds the violations of a body that depend on rows in the database, also when the body violates its schema.
   * Defaults to the checks that follow from the description of the type.
   */
  violations?(work: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]>;
  /** Like `violations`, but also returns the violations of the schema, `found`, to which it may add details. */
  allViolations?(
    work: Work,
    given: WriteBody,
    found: readonly Violation[],
    ownId?: number,
  ): Promise<readonly Violation[]>;
  /**
   * Locks an item before a write. Defaults to `lockForChange`. A replacement must also do what `lockForChange` does:
   * lock the row and remember its former values.
   */
  lock?(work: Work, id: number): Promise<void>;
}

/** `replace` serves PUT and PATCH. `update` serves PATCH alone, for items that are never replaced as a whole. */
export const WRITE_VERBS = ['create', 'replace', 'update', 'remove'] as const;
export type WriteVerb = (typeof WRITE_VERBS)[number];

/** Maps each verb to the action of the scope that its route needs. */
export const ACTION_OF: Readonly<Record<WriteVerb, Action>> = {
  create: 'create',
  replace: 'write',
  update: 'write',
  remove: 'delete',
};

export const IN_USE = 'in_use';

/** Error codes of operations other than create and replace: delete, state moves and writes of form values. */
export const CODES_OF_OTHER_OPERATIONS: readonly string[] = [
  IN_USE,
  ...Object.keys({ ...STATE_ERROR_CODES, ...FORM_VALUES_ERROR_CODES }),
];

type WriteMethod = Exclude<WriteVerb, 'update'> | 'removal';

/** Returns a method of the write rules as a function. @throws {Error} when the write rules lack the method */
export function writeMethod<Method extends WriteMethod>(
  writes: ResourceWrites,
  name: Method,
): NonNullable<ResourceWrites[Method]> {
  const method = writes[name];
  if (!method) throw new Error(`the service of the resource has no method ${name}, which its route needs`);
  return method.bind(writes) as NonNullable<ResourceWrites[Method]>;
}

interface InvalidBody {
  readonly given: WriteBody;
  /** The violations that the schema has found already. */
  readonly found: readonly Violation[];
  readonly ownId?: number | undefined;
}

/** Returns the violations of the schema and the violations that depend on rows in the database. */
export async function allViolations(
  writes: ResourceWrites,
  resource: Resource,
  work: Work,
  { given, found, ownId }: InvalidBody,
): Promise<readonly Violation[]> {
  if (writes.allViolations) return writes.allViolations(work, given, found, ownId);
  const more = writes.violations
    ? await writes.violations(work, given, ownId)
    : await bodyViolations(work.transaction, resource, given, ownId);
  return [...found, ...more];
}

/** Locks an item. @throws {NotFoundError} when the collection has no such item */
export async function lockItem(writes: ResourceWrites, resource: Resource, work: Work, id: number): Promise<void> {
  if (writes.lock) await writes.lock(work, id);
  else await lockForChange(work.transaction, resource, id);
}
