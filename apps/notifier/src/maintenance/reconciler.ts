import { type Reconciliation, type ReconciliationCursor, reconcileDeliveries } from '@ats/domain';
import { ADVISORY_LOCKS, type Database, runStatement, type Transaction } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { type Metrics } from '../counters/metrics.js';
import { type Amount } from '../loops/poll-loop.js';

export interface ReconcilerOptions {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Maximum number of events in one round. A round then takes a fraction of a second. */
const MAX_EVENTS = 500;

/**
 * Compares the stored deliveries of matched events with the deliveries that must exist. Each round continues where the
 * last round ended. Findings stay in the database until an operator deletes them.
 */
export class Reconciler {
  constructor(private readonly options: ReconcilerOptions) {}

  async reconcile(): Promise<Amount> {
    const { database, metrics } = this.options;
    const step = await database.transaction(async (transaction) => {
      const after = await lockCursor(transaction);
      if (!after) return null;
      const result = await reconcileDeliveries(database, { after, maxEvents: MAX_EVENTS });
      const isBehind = result.cursor?.eventId !== after.eventId;
      await storeStep(transaction, result, isBehind);
      return { result, isBehind };
    });
    if (!step) return 'none';
    metrics.reconciliationDone(step.result);
    this.report(step.result);
    return step.isBehind ? 'some' : 'none';
  }

  private report({ missing, unexpected, examples }: Reconciliation): void {
    const { logger } = this.options;
    for (const { kind, eventId, subscriptionId } of examples) {
      logger.error(
        { event_id: eventId, subscription_id: subscriptionId },
        kind === 'missing'
          ? 'reconciliation: an event has no delivery for a subscription that should have one'
          : 'reconciliation: an event has a delivery for a subscription that should have none',
      );
    }
    if (missing + unexpected > examples.length)
      logger.error({ missing, unexpected }, 'reconciliation found more differences than it logged');
  }
}

/** Locks and reads the cursor. Returns null while another notifier reconciles. */
async function lockCursor(transaction: Transaction): Promise<ReconciliationCursor | null> {
  const [lock] = await runStatement<{ isMine: boolean }>(
    transaction,
    'SELECT pg_try_advisory_xact_lock($1) AS "isMine"',
    [ADVISORY_LOCKS.reconciler],
  );
  if (!lock?.isMine) return null;
  const [cursor] = await runStatement<ReconciliationCursor>(
    transaction,
    'SELECT matched_dt AS "matchedDt", event_id AS "eventId", topic_id AS "topicId" FROM notification_reconciliation',
  );
  return cursor ?? null;
}

async function storeStep(
  transaction: Transaction,
  { cursor, missing, unexpected, examples }: Reconciliation,
  isBehind: boolean,
): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE notification_reconciliation SET matched_dt = $1, event_id = $2, topic_id = $3, is_behind = $4,
       stepped_dt = clock_timestamp()`,
    [cursor?.matchedDt ?? null, cursor?.eventId ?? 0, cursor?.topicId ?? 0, isBehind],
  );
  if (missing + unexpected === 0) return;
  await runStatement(
    transaction,
    'INSERT INTO notification_reconciliation_findings (missing, unexpected, examples) VALUES ($1, $2, $3)',
    [missing, unexpected, JSON.stringify(examples)],
  );
}
