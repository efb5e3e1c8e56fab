import { type Database, runStatement, type Transaction } from '@ats/postgres';

/** Maximum number of deliveries that change in the same transaction as their subscription. That takes about 100 ms. */
const AT_ONCE = 1_000;
/** Maximum number of subscriptions whose deliveries change in the transaction that deletes their topic. */
const SUBSCRIPTIONS_AT_ONCE = 10;

/**
 * SQL condition and order for the deliveries of each status. Both must equal the condition and the order of the partial
 * index of the status. Otherwise PostgreSQL would scan the whole log.
 */
const PENDING = {
  due: { where: `status = 'due'`, orderBy: 'next_attempt_dt, id' },
  queued: { where: `status IN ('queued', 'sending') AND status = 'queued'`, orderBy: 'subject_id' },
  held: { where: `status = 'held'`, orderBy: 'id' },
} as const;

interface Move {
  readonly from: readonly (keyof typeof PENDING)[];
  readonly set: string;
  /** A further SQL condition on the deliveries. Defaults to `true`. */
  readonly where?: string;
}

/**
 * Maps each new state of a subscription to the change of its pending deliveries. The row of the subscription must be
 * locked first; matching and the end of an attempt lock it, too. A delivery whose attempt is running does not change,
 * because the attempt reads the state of the subscription at its end.
 */
const MOVES: Readonly<Record<'deleted' | 'streamed' | 'disabled' | 'enabled', Move>> = {
  /**
   * Cancels pending deliveries. A message that is being sent may still arrive, but a failed attempt is not repeated.
   */
  deleted: {
    from: ['due', 'queued', 'held'],
    set: `status = 'cancelled', finished_dt = clock_timestamp(), next_attempt_dt = NULL, queued_dt = NULL`,
  },
  /**
   * Ends pending deliveries, including test messages, after their endpoint has lost its destination. Clients then read
   * the messages from the feed of the endpoint.
   */
  streamed: {
    from: ['due', 'queued', 'held'],
    set: `status = 'delivered', finished_dt = clock_timestamp(), next_attempt_dt = NULL, queued_dt = NULL,
      requeues = requeues + CASE WHEN status = 'queued' THEN 1 ELSE 0 END`,
  },
  /**
   * Holds pending deliveries except test messages. Increasing `requeues` makes their queued jobs invalid, even if the
   * subscription is enabled again before the jobs run.
   */
  disabled: {
    from: ['due', 'queued'],
    where: 'event_id IS NOT NULL',
    set: `status = 'held', next_attempt_dt = NULL, queued_dt = NULL,
      requeues = requeues + CASE WHEN status = 'queued' THEN 1 ELSE 0 END`,
  },
  /**
   * Makes held deliveries due in their order, each with a full retry schedule. Their due time is the time when the
   * subscription was enabled, so they are sent before all later deliveries.
   */
  enabled: {
    from: ['held'],
    set: `status = 'due', failures = 0,
      next_attempt_dt = COALESCE(
        (SELECT released_dt FROM notification_subscriptions s WHERE s.id = d.subscription_id), clock_timestamp())`,
  },
};

/**
 * Makes SQL that changes the status of at most `$2` deliveries of the subscription `$1`. It returns the number of
 * deliveries that it found. This number includes deliveries that another transaction has changed meanwhile, and that
 * this SQL therefore did not change.
 */
function moveSql({ from, set, where = 'true' }: Move): string {
  const found = from.map(
    (status) =>
      `(SELECT id, occurred_dt FROM notification_deliveries
        WHERE subscription_id = $1 AND ${PENDING[status].where} AND ${where}
        ORDER BY ${PENDING[status].orderBy} LIMIT $2)`,
  );
  return `WITH pending AS MATERIALIZED (${found.join(' UNION ALL ')}), moved AS (
      UPDATE notification_deliveries d SET ${set} FROM pending p
      WHERE d.id = p.id AND d.occurred_dt = p.occurred_dt AND d.id = ANY(ARRAY(SELECT id FROM pending))
        AND d.status IN (${from.map((status) => `'${status}'`).join(', ')})
    )
    SELECT count(*)::integer AS found FROM pending`;
}

/** SQL condition that is true when the subscription in the row `alias` has pending deliveries. */
export const hasPendingSql = (alias: string): string =>
  Object.values(PENDING)
    .map(({ where }) => `EXISTS (SELECT FROM notification_deliveries WHERE subscription_id = ${alias}.id AND ${where})`)
    .join(' OR ');

/**
 * SQL condition that is true when the endpoint of the subscription in the row `alias` has no destination. Clients then
 * read its messages from the feed.
 */
export const streamsSql = (alias: string): string =>
  `EXISTS (SELECT FROM notification_endpoints streaming
    WHERE streaming.id = ${alias}.endpoint_id AND streaming.destination_url IS NULL)`;

/**
 * Changes the pending deliveries of subscriptions. All these subscriptions get the same new state. The rows of the
 * subscriptions must be locked or deleted. Only a part of a large backlog is changed, so that the transaction stays
 * short; {@link moveBacklogs} changes the rest.
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
 * SQL that finds subscriptions without a destination that have due deliveries. {@link moveBacklogs} then marks these
 * deliveries as delivered, because the feed delivers their messages. A delivery can become due after its endpoint has
 * lost its destination, for example when a running attempt fails.
 */
const FIND_STREAMED = `
INSERT INTO notification_backlogs
SELECT s.id FROM notification_endpoints e JOIN notification_subscriptions s ON s.endpoint_id = e.id
WHERE e.destination_url IS NULL
  AND EXISTS (SELECT FROM notification_deliveries d WHERE d.subscription_id = s.id AND d.status = 'due')
ON CONFLICT DO NOTHING`;

/**
 * Changes a further part of each backlog that was too large for {@link movePending}.
 * @returns true when there were backlogs; call it again until it returns false
 * @throws {AggregateError} when the deliveries of a backlog could not be changed
 */
export async function moveBacklogs(database: Database): Promise<boolean> {
  await database.query(FIND_STREAMED);
  const backlogs = await database.query<{ id: number }>(
    'SELECT subscription_id AS id FROM notification_backlogs ORDER BY 1 LIMIT 5',
  );
  const results = await Promise.allSettled(
    backlogs.map(({ id }) => database.transaction((transaction) => moveBacklog(transaction, id))),
  );
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, 'the waiting deliveries of some subscriptions could not be made due');
  return backlogs.length > 0;
}

async function moveBacklog(transaction: Transaction, id: number): Promise<void> {
  const [subscription] = await runStatement<{ state: keyof typeof MOVES }>(
    transaction,
    `SELECT CASE WHEN ${streamsSql('s')} THEN 'streamed' WHEN disabled_dt IS NOT NULL THEN 'disabled'
       ELSE 'enabled' END AS state
     FROM notification_subscriptions s WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  await runStatement(transaction, 'DELETE FROM notification_backlogs WHERE subscription_id = $1', [id]);
  await movePending(transaction, [id], subscription?.state ?? 'deleted');
}
