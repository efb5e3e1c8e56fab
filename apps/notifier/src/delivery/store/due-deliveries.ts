import { ADVISORY_LOCKS, type Database } from '@ats/postgres';
import { type Lane } from '../../queues/queues.js';
import { type ClaimedDelivery, type ClaimedRow } from './claimed-deliveries.js';
import { type EndpointSecrets, toSecrets } from './endpoint-secrets.js';
import { NO_MARKS } from '../../loops/low-water-marks.js';
import { dedicatedTransaction, EXCLUSIVE_IDLE_TIMEOUT } from '../../loops/planned-transaction.js';
import { PICK } from './pick-sql.js';

export interface QueuedDelivery {
  readonly id: number;
  readonly occurred_dt: Date;
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Number of requeues since the last attempt. */
  readonly requeues: number;
  readonly lane: Lane;
}

export type LaneCapacity = Readonly<Record<Lane, number>>;

/** A delivery that was picked. */
export interface PickedDelivery extends QueuedDelivery {
  /** The claim of this process. Null for a delivery that was queued for a job. */
  readonly claim: ClaimedDelivery | null;
}

/** The free slots of this process, by lane. Deliveries that get such a slot are claimed at once. */
export interface OwnSlots extends LaneCapacity {
  /** The number of the worker, see `WorkerHeartbeat`. */
  readonly worker: number;
}

const NO_SLOTS: OwnSlots = { hot: 0, slow: 0, worker: 0 };

const BEGIN = `BEGIN; SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL idle_in_transaction_session_timeout = '${EXCLUSIVE_IDLE_TIMEOUT}'`;

/**
 * Picks due deliveries, up to the capacity of each lane. It claims those for which this process has slots, and marks
 * the others as queued. Only one notifier picks at a time, so that the limits apply to all notifiers together. A
 * separate statement takes the lock that ensures this, because only a later statement sees all rows that the previous
 * notifier has picked.
 * @param capacity  the number of deliveries for each lane, including those for slots of this process
 */
export async function pickDueDeliveries(
  database: Database,
  capacity: LaneCapacity,
  marks = NO_MARKS,
  own = NO_SLOTS,
): Promise<readonly PickedDelivery[]> {
  const claimedAt = performance.now();
  return dedicatedTransaction(database, { name: 'picks', begin: BEGIN }, async (client) => {
    const locked = client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.duePoller]);
    const picked = client.query<PickedRow>({
      name: 'pick-due-deliveries',
      text: PICK,
      values: [capacity.hot, capacity.slow, marks.due, marks.queued, marks.lease, own.worker, own.hot, own.slow],
    });
    const [, { rows }] = await Promise.all([locked, picked]);
    return toPicked(rows, claimedAt);
  });
}

interface PickedRow extends ClaimedRow {
  readonly requeues: number;
  readonly lane: Lane;
  readonly is_own: boolean;
}

/** Converts rows. The deliveries of an endpoint share its secrets, so that these are decrypted only once. */
function toPicked(rows: readonly PickedRow[], claimedAt: number): readonly PickedDelivery[] {
  const known = new Map<number, EndpointSecrets>();
  return rows.map(({ requeues, lane, is_own: isOwn, ...row }) => {
    const { id, occurred_dt, attempts } = row;
    if (!isOwn) return { id, occurred_dt, attempts, requeues, lane, claim: null };
    const secrets = known.get(row.endpoint_id) ?? toSecrets(row.secrets);
    known.set(row.endpoint_id, secrets);
    return { id, occurred_dt, attempts, requeues, lane, claim: { ...row, claimedAt, secrets } };
  });
}
