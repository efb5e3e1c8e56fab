import { beforeCommit, notifyAfterCommit, runStatement, type Transaction } from '@ats/postgres';
import { EVENT_ROOTS, eventTypeOf, type EventType } from '../../objects/event-types.js';
import { objectModel } from '../../objects/object-model.js';
import { tableOf } from '../../reading/representation-sql.js';
import { type ChangeKind } from '../../vocabulary/event-declaration.js';
import { rememberFormerValues } from './former-values.js';
import { type EventInStatement, eventInStatement, recordChanges, withdrawEvents } from './record-changes.js';
import { EVENT_CHANNEL } from './record-event.js';

/** A change of objects of one type in the running transaction. */
export interface NotedChanges {
  /** The name of the object type. A type without an event for the change is ignored. */
  readonly root: string;
  readonly change: ChangeKind;
  readonly ids: readonly number[];
  /**
   * The recruiter who caused the change. Defaults to the recruiter of the request, or else to the recruiter with the
   * lowest id.
   */
  readonly recruiterId?: number | null;
}

interface Note {
  readonly type: EventType;
  readonly id: number;
  readonly recruiterId: number | null;
}

/**
 * The changes of one transaction whose events are not recorded yet, those whose events the statements of the changes
 * have recorded, and the objects that the transaction created or deleted. All recorded changes are older than the
 * pending ones.
 */
interface Notes {
  pending: ReadonlyMap<string, Note>;
  recorded: ReadonlyMap<string, Note & { readonly eventId: unknown }>;
  created: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
}

const notesOf = new WeakMap<Transaction, Notes>();

/**
 * Notes changes of objects. Their events are recorded right before the commit, so that snapshots have the committed
 * values. Only the events of `eventOfUpdate` are recorded earlier. Several changes of one object in a transaction raise
 * one event of each type. A created object raises no further event in its transaction. Call the function after a
 * change, but before a deletion: the event of a deletion is recorded at once.
 * Source: docs/reference/notifications.md, "Exactly one event".
 */
export async function noteChanges(
  transaction: Transaction,
  { root, change, ids, recruiterId = null }: NotedChanges,
): Promise<void> {
  const type = eventTypeOf(root, change);
  if (!type || ids.length === 0) return;
  const notes = openNotes(transaction);
  const keyOf = (id: number): string => `${root} ${id}`;
  await withdrawRecorded(transaction, notes, root, ids);
  if (change === 'delete') {
    const deleted = ids.filter((id) => !notes.deleted.has(keyOf(id)));
    notes.deleted = new Set([...notes.deleted, ...deleted.map(keyOf)]);
    notes.pending = new Map([...notes.pending].filter(([, note]) => !isAbout(note, root, deleted)));
    // No event is recorded for an object that the same transaction created, because no client could ever read it.
    const known = deleted.filter((id) => !notes.created.has(keyOf(id)));
    await recordChanges(transaction, { type, recruiterId, ids: known });
    await noteLostReferences(transaction, root, deleted);
    return;
  }
  const changed = ids.filter((id) => !notes.created.has(keyOf(id)));
  if (change === 'create') notes.created = new Set([...notes.created, ...changed.map(keyOf)]);
  notes.pending = new Map([
    ...notes.pending,
    ...changed.map((id) => [`${type} ${id}`, { type, id, recruiterId }] as const),
  ]);
}

/** An event that the statement of an update inserts together with the update. */
interface EventOfUpdate extends EventInStatement {
  /** Notes that the statement has inserted the event. */
  readonly recorded: (eventId: unknown) => void;
}

/**
 * Returns the event of an update, so that the statement of the update can insert it. Call it only for an update that
 * changes the object for certain. Without a call of `recorded`, call `noteChanges` after the update. Returns undefined
 * when `noteChanges` must be called in any case: for an object that the transaction has changed before, and when
 * earlier changes are not recorded yet.
 */
export function eventOfUpdate(transaction: Transaction, root: string, id: number): EventOfUpdate | undefined {
  const type = eventTypeOf(root, 'update');
  if (!type) return undefined;
  const notes = openNotes(transaction);
  const isFirst = ![...notes.recorded.values()].some((note) => isAbout(note, root, [id]));
  if (!isFirst || notes.pending.size > 0 || notes.created.has(`${root} ${id}`)) return undefined;
  const event = eventInStatement(transaction, type);
  return (
    event && {
      ...event,
      recorded: (eventId) => {
        notes.recorded = new Map([...notes.recorded, [`${type} ${id}`, { type, id, recruiterId: null, eventId }]]);
        notifyAfterCommit(transaction, EVENT_CHANNEL);
      },
    }
  );
}

/**
 * Makes all recorded changes pending again when one of these objects changes again. Its snapshot would otherwise miss
 * the new values, and the events would not have the order of the changes.
 */
async function withdrawRecorded(
  transaction: Transaction,
  notes: Notes,
  root: string,
  ids: readonly number[],
): Promise<void> {
  const recorded = [...notes.recorded.values()];
  if (!recorded.some((note) => isAbout(note, root, ids))) return;
  await withdrawEvents(
    transaction,
    recorded.map(({ eventId }) => eventId),
  );
  notes.pending = new Map([...notes.recorded, ...notes.pending]);
  notes.recorded = new Map();
}

/**
 * Notes an update of each object whose reference becomes null because its target is deleted, such as the copies of a
 * deleted application.
 */
async function noteLostReferences(transaction: Transaction, root: string, deleted: readonly number[]): Promise<void> {
  for (const type of objectModel.types) {
    if (!eventTypeOf(type.name, 'update')) continue;
    for (const { target, nullable, column } of Object.values(type.relations)) {
      if (target !== root || !nullable || column === undefined) continue;
      const isOther = type.name === root ? 'AND id <> ALL($1)' : '';
      const holders = await runStatement<{ id: number }>(
        transaction,
        `SELECT id FROM ${tableOf(type)} WHERE ${column} = ANY($1) ${isOther} ORDER BY id`,
        [deleted],
      );
      await rememberFormerValues(transaction, { root: type.name, ids: holders.map(({ id }) => id) });
      await noteChanges(transaction, { root: type.name, change: 'update', ids: holders.map(({ id }) => id) });
    }
  }
}

const isAbout = ({ type, id }: Note, root: string, ids: readonly number[]): boolean =>
  EVENT_ROOTS[type] === root && ids.includes(id);

/**
 * Saves the noted changes at a savepoint. The returned function restores them; call it after the rollback to the
 * savepoint.
 */
export function markNotes(transaction: Transaction): () => void {
  const notes = openNotes(transaction);
  const marked = { ...notes };
  return () => void Object.assign(notes, marked);
}

/**
 * Records the events of all noted changes before the commit. Call it only before a rollback to a savepoint, because the
 * commit records the noted changes again. A rolled-back write then takes as long as a committed one.
 */
export const recordNotes = (transaction: Transaction): Promise<void> =>
  recordPending(transaction, openNotes(transaction));

function openNotes(transaction: Transaction): Notes {
  const known = notesOf.get(transaction);
  if (known) return known;
  const notes: Notes = { pending: new Map(), recorded: new Map(), created: new Set(), deleted: new Set() };
  notesOf.set(transaction, notes);
  beforeCommit(transaction, () => recordPending(transaction, notes));
  return notes;
}

/**
 * Records the events in the order of the changes. Consecutive changes with the same event type and recruiter share one
 * statement.
 */
async function recordPending(transaction: Transaction, notes: Notes): Promise<void> {
  const groups: { type: EventType; recruiterId: number | null; ids: number[] }[] = [];
  for (const { type, id, recruiterId } of notes.pending.values()) {
    const last = groups.at(-1);
    if (last?.type === type && last.recruiterId === recruiterId) last.ids.push(id);
    else groups.push({ type, recruiterId, ids: [id] });
  }
  for (const group of groups) await recordChanges(transaction, group);
}
