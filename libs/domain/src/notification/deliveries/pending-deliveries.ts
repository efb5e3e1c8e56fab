import { type Database, runStatement, type Transaction } from '@ats/postgres';

/** Moved in the transaction that changes the subscription: some 100 ms of work. */
const AT_ONCE = 1_000;
/** Subscriptions whose deliveries are moved at once, when a topic goes with all of its own. */
const SUBSCRIPTIONS_AT_ONCE = 10;

/** Rows by status, in the words and the order of their own index: any other way leads through the whole log. */
const PENDING = {
  due: { where: `status = 'due'`, orderBy: 'next_attempt_dt, id' },
  queued: { where: `status IN ('queued', 'sending') AND status = 'queued'`, orderBy: 'subject_id' },
  held: { where: `status = 'held'`, orderBy: 'id' },
} as const;

interface Move {
  readonly from: readonly (keyof typeof PENDING)[];
  readonly set: string;
  /** Further condition. */
  readonly where?: string;
}

/**
 * What becomes of the deliveries that are pending, by what their subscription is now. Every change comes after the lock on the
 * subscription's row, as in matching and in the end of an attempt: whoever changes both takes the subscription first. An
 * attempt under way is left alone; its end finds out for itself.
 */
const MOVES: Readonly<Record<'deleted' | 'disabled' | 'enabled', Move>> = {
  /** Nobody wants these any more. What is being sent at this moment may still arrive, and is then not tried again. */
  deleted: {
    from: ['due', 'queued', 'held'],
    set: `status = 'cancelled', finished_dt = clock_timestamp(), next_attempt_dt = NULL, queued_dt = NULL`,
  },
  /**
   * Kept for later: nothing is dropped. Test messages go all the same. Jobs that are on their way find themselves out of date,
   * also when the subscription has been enabled again by then.
   */
  disabled: {
    from: ['due', 'queued'],
    where: 'event_id IS NOT NULL',
    set: `status = 'held', next_attempt_dt = NULL, queued_dt = NULL, requeues = requeues + CASE WHEN status = 'queued' THEN 1 ELSE 0 END`,
  },
  /** What was held goes in its order, each with its whole schedule before it, and before all that comes after the release. */
  enabled: {
    from: ['held'],
    set: `status = 'due', failures = 0,
      next_attempt_dt = COALESCE((SELECT released_dt FROM notification_subscriptions s WHERE s.id = d.subscription_id), clock_timestamp())`,
  },
};

/** $1 a subscription, $2 how many. Says how many were found, of which some may have gone on meanwhile. */
function moveSql({ from, set, where = 'true' }: Move): string {
  const found = from.map(
    (status) =>
      `(SELECT id, occurred_dt FROM notification_deliveries WHERE subscription_id = $1 AND ${PENDING[status].where} AND ${where}
        ORDER BY ${PENDING[status].orderBy} LIMIT $2)`,
  );
  return `WITH pending AS MATERIALIZED (${found.join(' UNION ALL ')}), moved AS (
      UPDATE notification_deliveries d SET ${set} FROM pending p
      WHERE d.id = p.id AND d.occurred_dt = p.occurred_dt AND d.id = ANY(ARRAY(SELECT id FROM pending)) AND d.status IN (${from.map((status) => `'${status}'`).join(', ')})
    )
    SELECT count(*)::integer AS found FROM pending`;
}

/** Whether anything of a subscription waits to be sent: a condition on `$1`, its id. */
export const HAS_PENDING = Object.values(PENDING)
  .map((status) => `EXISTS (SELECT FROM notification_deliveries WHERE subscription_id = $1 AND ${status.where})`)
  .join(' OR ');

/**
 * Moves what is pending of these subscriptions, all in the same state, their rows locked or deleted. A large backlog is moved in
 * part; the rest is noted for {@link moveBacklogs}, so that nobody has to wait for it.
 */
export async function movePending(
  transaction: Transaction,
  subscriptionIds: readonly number[],
  state: keyof typeof MOVES,
): Promise<void> {
  const left = subscriptionIds.slice(SUBSCRIPTIONS_AT_ONCE);
  for (const id of subscriptionIds.slice(0, SUBSCRIPTIONS_AT_ONCE)) {
    const [row] = await runStatement<{ found: number }>(transaction, moveSql(MOVES[state]), [id, AT_ONCE]);
    if (row && row.found >= AT_ONCE) left.push(id);
  }
  if (left.length === 0) return;
  await runStatement(
    transaction,
    'INSERT INTO notification_backlogs SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING',
    [left],
  );
}

/**
 * Goes on with backlogs that were too large to be moved at once, a portion of each.
 * @returns whether something is left
 */
export async function moveBacklogs(database: Database): Promise<boolean> {
  const backlogs = await database.query<{ id: number }>(
    'SELECT subscription_id AS id FROM notification_backlogs ORDER BY 1 LIMIT 5',
  );
  const results = await Promise.allSettled(
    backlogs.map(({ id }) => database.transaction((transaction) => moveBacklog(transaction, id))),
  );
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'some backlogs could not be moved');
  return backlogs.length > 0;
}

async function moveBacklog(transaction: Transaction, id: number): Promise<void> {
  const [subscription] = await runStatement<{ isDisabled: boolean }>(
    transaction,
    'SELECT disabled_dt IS NOT NULL AS "isDisabled" FROM notification_subscriptions WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  await runStatement(transaction, 'DELETE FROM notification_backlogs WHERE subscription_id = $1', [id]);
  await movePending(transaction, [id], !subscription ? 'deleted' : subscription.isDisabled ? 'disabled' : 'enabled');
}
