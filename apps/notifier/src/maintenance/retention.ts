import {
  deleteOldAlertMails,
  deleteOldChanges,
  dropOldAuditMonths,
  dropOldDeliveryDays,
  ensureAuditMonths,
  ensureDeliveryDays,
  deleteOldEndpointStats,
  deleteOldPositions,
  deleteOldRevisions,
  deleteUnusedQueries,
  failExpiredActivationMails,
} from '@ats/domain';
import { dayOf, type Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { type Amount } from '../loops/poll-loop.js';

export interface RetentionOptions {
  readonly database: Database;
  /** Storage period of deliveries and attempts in days. */
  readonly deliveryDays: number;
  /** Storage period in days of events with their snapshots, and of changes in the changes feed. */
  readonly eventDays: number;
  /** Storage period of audit entries in days. */
  readonly auditDays: number;
  readonly logger: Logger;
}

/**
 * Number of days for which partitions are created in advance, so that an outage of all notifiers causes no delay at
 * midnight.
 */
const DAYS_AHEAD = 3;
const DAY_MS = 86_400_000;
const EVENTS_AT_ONCE = 5_000;
const CHANGES_AT_ONCE = 5_000;
const LINKS_AT_ONCE = 500;
const QUERIES_AT_ONCE = 1_000;
const POSITIONS_AT_ONCE = 5_000;
const ALERTS_AT_ONCE = 1_000;
/** Maximum number of counts of endpoints that one statement deletes, for each bucket length. */
const STATS_AT_ONCE = 5_000;
/** Storage period of the list of changed topics. A matcher that has missed deleted entries reads all topics again. */
const CHANGES_KEPT = '1 day';

/** Creates the partitions of the next days, and deletes rows after their storage period. */
export class Retention {
  constructor(private readonly options: RetentionOptions) {}

  async prepare(): Promise<void> {
    const { database } = this.options;
    const today = await this.today();
    const dayIn = (days: number): string => dayOf(new Date(today.getTime() + days * DAY_MS));
    await ensureDeliveryDays(
      database,
      Array.from({ length: DAYS_AHEAD + 1 }, (_, index) => dayIn(index)),
    );
    await ensureAuditMonths(database, today);
  }

  async maintain(): Promise<Amount> {
    const { database, deliveryDays, eventDays, auditDays, logger } = this.options;
    await this.prepare();
    await database.query(
      `DELETE FROM notification_index_changes WHERE changed_dt < now() - interval '${CHANGES_KEPT}'`,
    );
    const deliveries = await dropOldDeliveryDays(database, deliveryDays);
    const audit = await dropOldAuditMonths(database, auditDays);
    const dropped = [...deliveries.dropped, ...audit.dropped];
    const events = await this.deleteEvents();
    const changes = await deleteOldChanges(database, eventDays, CHANGES_AT_ONCE);
    const revisions = await deleteOldRevisions(database, eventDays);
    const queries = await deleteUnusedQueries(database, QUERIES_AT_ONCE);
    const stats = await deleteOldEndpointStats(database, STATS_AT_ONCE);
    const positions = await deleteOldPositions(database, deliveryDays, POSITIONS_AT_ONCE);
    const alerts = await deleteOldAlertMails(database, deliveryDays, ALERTS_AT_ONCE);
    if (dropped.length + events + changes + revisions + queries + stats + positions + alerts > 0)
      logger.info(
        { tables: dropped, events, changes, revisions, queries, stats, positions, alerts },
        'deleted rows after their storage period',
      );
    const links = await this.expireLinks();
    const isFull =
      events === EVENTS_AT_ONCE ||
      changes === CHANGES_AT_ONCE ||
      links === LINKS_AT_ONCE ||
      queries === QUERIES_AT_ONCE ||
      stats >= STATS_AT_ONCE ||
      positions === POSITIONS_AT_ONCE ||
      alerts === ALERTS_AT_ONCE;
    if (isFull) return 'more';
    return deliveries.busy + audit.busy > 0 ? 'some' : 'none';
  }

  private async today(): Promise<Date> {
    const [row] = await this.options.database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    if (!row) throw new Error('the query for the time of the database returned no row');
    return row.now;
  }

  /**
   * Fails activation e-mails with expired links. This is a part of retention and not of the mail loops, because tokens
   * must expire even without a mail server.
   */
  private async expireLinks(): Promise<number> {
    const activations = await failExpiredActivationMails(this.options.database, LINKS_AT_ONCE);
    for (const activationId of activations)
      this.options.logger.warn(
        { activation_id: activationId, reason: 'expired' },
        'an activation e-mail failed permanently',
      );
    return activations.length;
  }

  /** Deletes the oldest events with the status `done`. New and quarantined events stay. */
  private async deleteEvents(): Promise<number> {
    const rows = await this.options.database.query(
      `WITH oldest AS (SELECT id, occurred_dt, status FROM domain_events ORDER BY id LIMIT $1), gone AS (
         DELETE FROM domain_events WHERE id IN (
           SELECT id FROM oldest WHERE status = 'done' AND occurred_dt < clock_timestamp() - make_interval(days => $2))
         RETURNING id
       ), facts AS (DELETE FROM notification_late_facts WHERE event_id IN (SELECT id FROM gone))
       SELECT id FROM gone`,
      [EVENTS_AT_ONCE, this.options.eventDays],
    );
    return rows.length;
  }
}
