import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { readFormerValues } from '../../writing/event/former-values.js';
import { recordEvent } from '../../writing/event/record-event.js';
import { type EventType } from '../../objects/event-types.js';
import { addHistory } from '../history/history.js';
import { type RowSource } from '../../vocabulary/resource.js';
import { type ReadSettings, tableOf } from '../../reading/representation-sql.js';
import { toValidationError } from '../../writing/constraint-violations.js';
import { NotFoundError, ValidationError, type Violation } from '../../vocabulary/validation-error.js';
import { lockObject } from '../../writing/lock-object.js';
import { allowedMoves } from '../../reading/state-sql.js';

export interface StateMove {
  readonly id: number;
  /** The target state, by key or by id. */
  readonly target: { readonly state: string } | { readonly stateId: number };
  /**
   * The key of the state that the client expects the object to have. When the object has another state, the move is
   * refused with `state_conflict`.
   */
  readonly fromState?: string;
  readonly comment?: string | null;
  readonly recruiterId: number;
}

interface StateRow {
  readonly id: number;
  readonly state: string;
  readonly process_id: number;
  readonly outcome: string | null;
  readonly is_live: boolean;
}

interface StatefulKind {
  readonly subjectType: 'application' | 'opportunity';
  readonly event: EventType;
}

const STATEFUL: Readonly<Record<string, StatefulKind>> = {
  applications: { subjectType: 'application', event: 'STATE_CHANGE_APPLICATION' },
  opportunities: { subjectType: 'opportunity', event: 'STATE_CHANGE_OPPORTUNITY' },
};

/**
 * Moves an application or an opportunity to another state. Changes the row, adds a history entry and records an event.
 * Concurrent moves of one object run one after the other, and each is checked against the state that the one before has
 * set.
 * @returns false when the object already has the state; nothing changes then
 * @throws {NotFoundError} when the collection has no such item
 * @throws {ValidationError} `invalid` for an unknown state, `state_conflict`, `invalid_transition`, or
 *   `already_exists` when reopening would make a second live application
 * Source: docs/reference/states.md, "Moves".
 */
export async function moveState(
  transaction: Transaction,
  source: RowSource,
  move: StateMove,
  settings: ReadSettings,
): Promise<boolean> {
  const table = tableOf(source.type);
  const stateful = STATEFUL[table];
  if (!stateful) throw new Error(`the objects in the table ${table} have no process state`);
  await lockObject(transaction, source, move.id);
  const current = await currentState(transaction, table, move.id);
  const target = await findTarget(transaction, current.process_id, move.target);
  const fail = (violation: Violation): never => {
    throw new ValidationError(source.name, [violation]);
  };
  if (!target) return fail(await unknownState(transaction, current.process_id, move.target));
  if (target.id === current.id) return false;
  if (move.fromState !== undefined && move.fromState !== current.state) {
    return fail({
      path: '/from_state',
      code: 'state_conflict',
      info: message`the present state is not the one that this property names`,
      infoForReaders: message`the present state is ${current.state}`,
    });
  }
  const allowed = await allowedStates(transaction, source, move.id);
  if (!allowed.some(({ id }) => id === target.id)) {
    const infoForReaders =
      allowed.length > 0
        ? message`from the state ${current.state}, the process allows only ${allowed.map(({ state }) => state)}`
        : message`${current.state} is a final state: no state may follow`;
    const info = message`the process does not allow this move from the present state`;
    return fail({ path: '/state', code: 'invalid_transition', info, infoForReaders });
  }
  const other =
    target.is_live && table === 'applications' ? await otherLiveApplication(transaction, move.id) : undefined;
  if (other !== undefined)
    return fail({ path: '/state', code: 'already_exists', existing: { resource: source.name, id: other } });
  const before = await readFormerValues(transaction, { root: stateful.subjectType, ids: [move.id] }, settings);
  try {
    await setState(transaction, table, move.id, target);
  } catch (error) {
    throw toValidationError(error, source, { uq_applications_live: '/state' });
  }
  await addHistory(transaction, {
    type: 'state_change',
    subjectType: stateful.subjectType,
    subjectId: move.id,
    recruiterId: move.recruiterId,
    fromStateId: current.id,
    toStateId: target.id,
    comment: move.comment ?? null,
  });
  const event = {
    type: stateful.event,
    subjectId: move.id,
    recruiterId: move.recruiterId,
    before: before.get(move.id),
  };
  await recordEvent(transaction, event, settings);
  return true;
}

/**
 * Returns a violation when the target is not a state of the object's process. The body may have other violations.
 * @throws {NotFoundError} when the table has no such row
 */
export async function targetViolations(
  transaction: Transaction,
  source: RowSource,
  { id, target }: Pick<StateMove, 'id' | 'target'>,
): Promise<readonly Violation[]> {
  const { process_id } = await currentState(transaction, tableOf(source.type), id);
  const isKnown = (await findTarget(transaction, process_id, target)) !== undefined;
  return isKnown ? [] : [await unknownState(transaction, process_id, target)];
}

/** Makes the violation of an unknown target state. Its text names all states of the process. */
async function unknownState(
  transaction: Transaction,
  processId: number,
  target: StateMove['target'],
): Promise<Violation> {
  const states = await runStatement<{ state: string }>(
    transaction,
    'SELECT state FROM states WHERE process_id = $1 ORDER BY id',
    [processId],
  );
  return {
    path: 'state' in target ? '/state' : '/state_id',
    code: 'invalid',
    info: message`the process has no state with this key or id: its states are ${states.map(({ state }) => state)}`,
  };
}

/** Returns the id of another live application of the same candidate to the same opportunity, if there is one. */
async function otherLiveApplication(transaction: Transaction, id: number): Promise<number | undefined> {
  const [other] = await runStatement<{ id: number }>(
    transaction,
    `SELECT o.id FROM applications a JOIN applications o USING (user_id, opportunity_id)
     WHERE a.id = $1 AND o.id <> a.id AND o.is_live`,
    [id],
  );
  return other?.id;
}

/** Returns the states to which the object may move from its current state, in the order of the process. */
export async function allowedStates(
  transaction: Transaction,
  source: RowSource,
  id: number,
): Promise<readonly { readonly id: number; readonly state: string }[]> {
  return runStatement(
    transaction,
    `SELECT s.id, s.state
     FROM ${tableOf(source.type)} t, LATERAL (SELECT m.position, s.* FROM ${allowedMoves(source)}) s
     WHERE t.id = $1 ORDER BY s.position`,
    [id],
  );
}

/** Returns the state in which a new object of a process starts. */
export async function initialState(
  transaction: Transaction,
  process: { readonly key: string } | { readonly id: number },
): Promise<StateRow> {
  const [column, value] = 'key' in process ? ['key', process.key] : ['id', process.id];
  const [state] = await runStatement<StateRow>(
    transaction,
    `SELECT s.id, s.state, s.process_id, s.outcome, s.is_live FROM states s JOIN processes p ON p.id = s.process_id
     WHERE p.${column} = $1 AND s.is_initial`,
    [value],
  );
  if (!state) throw new Error(`the process ${value} has no initial state`);
  return state;
}

async function currentState(transaction: Transaction, table: string, id: number): Promise<StateRow> {
  const [state] = await runStatement<StateRow>(
    transaction,
    `SELECT s.id, s.state, s.process_id, s.outcome, s.is_live
     FROM ${table} t JOIN states s ON s.id = t.state_id WHERE t.id = $1`,
    [id],
  );
  if (!state) throw new NotFoundError(table, id);
  return state;
}

async function findTarget(
  transaction: Transaction,
  processId: number,
  target: StateMove['target'],
): Promise<StateRow | undefined> {
  const [column, value] = 'state' in target ? ['state', target.state] : ['id', target.stateId];
  const [state] = await runStatement<StateRow>(
    transaction,
    `SELECT id, state, process_id, outcome, is_live FROM states WHERE process_id = $1 AND ${column} = $2`,
    [processId, value],
  );
  return state;
}

/**
 * Sets the state. An application also gets the outcome of the state and the time of the outcome. Reopening clears the
 * times of declining and withdrawing. All times are the time of the statement, not of the start of the transaction: a
 * transaction that waited for a lock may have started before the previous move.
 */
async function setState(transaction: Transaction, table: string, id: number, target: StateRow): Promise<void> {
  const outcome = `, outcome = $3, is_live = $4,
    hired_dt = CASE WHEN $3 = 'hired' THEN moment.now ELSE hired_dt END,
    rejected_dt = CASE $3 WHEN 'declined' THEN moment.now WHEN 'pending' THEN NULL ELSE rejected_dt END,
    withdrawn_dt = CASE $3 WHEN 'withdrawn' THEN moment.now WHEN 'pending' THEN NULL ELSE withdrawn_dt END`;
  const isApplication = table === 'applications';
  await runStatement(
    transaction,
    `UPDATE ${table}
     SET state_id = $2, state_entered_dt = moment.now, updated_dt = moment.now${isApplication ? outcome : ''}
     FROM (SELECT clock_timestamp() AS now) moment WHERE id = $1`,
    isApplication ? [id, target.id, target.outcome, target.is_live] : [id, target.id],
  );
}
