import {
  dayOf,
  dropOldDeliveryDays,
  ensureDeliveryDays,
  forgetNotificationHistory,
  giveUpExpiredActivationMails,
} from '@ats/domain';
import { type Database } from '@ats/postgres';
import { type Logger } from '@ats/logging';
import { type Amount } from '../loops/poll-loop.js';

export interface RetentionOptions {
  readonly database: Database;
  /** Days after which what has been delivered or given up is forgotten. */
  readonly deliveryDays: number;
  /** Days after which an event is forgotten, with what it was judged on. */
  readonly eventDays: number;
  readonly logger: Logger;
}

/** Days made ahead: so long can notifiers be away without a delay at midnight. */
const DAYS_AHEAD = 3;
const DAY_MS = 86_400_000;
const EVENTS_AT_ONCE = 5_000;
const LINKS_AT_ONCE = 500;
/** A matcher that slept longer reads all topics again. */
const CHANGES_KEPT = '1 day';

/** Makes room for what is to come, and drops what nobody needs any more. Source: NOTIFIER.md 2. */
export class Retention {
  constructor(private readonly options: RetentionOptions) {}

  /** Before anything is matched. */
  async prepare(): Promise<void> {
    const today = (await this.today()).getTime();
    const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, index) => dayOf(new Date(today + index * DAY_MS)));
    await ensureDeliveryDays(this.options.database, days);
  }

  async maintain(): Promise<Amount> {
    const { database, deliveryDays, eventDays, logger } = this.options;
    await this.prepare();
    await database.query(
      `DELETE FROM notification_index_changes WHERE changed_dt < now() - interval '${CHANGES_KEPT}'`,
    );
    const { dropped, busy } = await dropOldDeliveryDays(database, deliveryDays);
    const events = await this.forgetEvents();
    const revisions = await forgetNotificationHistory(database, eventDays);
    if (dropped.length + events + revisions > 0)
      logger.info({ tables: dropped, events, revisions }, 'forgot what was older than configured');
    const links = await this.giveUpLinks();
    if (events === EVENTS_AT_ONCE || links === LINKS_AT_ONCE) return 'more';
    return busy > 0 ? 'some' : 'none';
  }

  private async today(): Promise<Date> {
    const [row] = await this.options.database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    if (!row) throw new Error('a clock that says nothing');
    return row.now;
  }

  /** Here, not where e-mails are sent: without a mail server their tokens would stay for ever. */
  private async giveUpLinks(): Promise<number> {
    const activations = await giveUpExpiredActivationMails(this.options.database, LINKS_AT_ONCE);
    for (const activationId of activations)
      this.options.logger.warn(
        { activation_id: activationId, reason: 'expired' },
        'a link to activate an account was given up',
      );
    return activations.length;
  }

  /** The oldest ones, as long as they are done with: what is new or quarantined waits for somebody. */
  private async forgetEvents(): Promise<number> {
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
