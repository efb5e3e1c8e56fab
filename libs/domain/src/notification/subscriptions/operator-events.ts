import { runStatement, type Transaction } from '@ats/postgres';
import { type EventType } from '../../objects/event-types.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { recordEvents } from '../../writing/event/record-event.js';
import { queueAlertMails } from './alert-mails.js';

/** The request or the loop that caused an operator event. */
export interface OperatorEventCause {
  /** The recruiter of the request. Null when the notifier caused the event. */
  readonly recruiterId: number | null;
  readonly settings: ReadSettings;
}

interface Subject {
  readonly subjectId: number;
  readonly recruiterId: number;
}

/**
 * SQL for the recruiter that an event of the notifier names. It is the recruiter of the credential that owns the
 * subscription `s`, or else the recruiter with the lowest id.
 */
const RESPONSIBLE = `COALESCE((SELECT c.recruiter_id FROM credentials c WHERE c.id = s.owner_id),
  (SELECT min(r.id) FROM users r WHERE r.type = 'recruiter'))`;

/**
 * Records an event about each of these subscriptions, and queues the e-mails to the owners of their endpoints. Records
 * no event when there is no recruiter, because an event needs one.
 * Source: docs/reference/notifications.md, "Operator events".
 */
export async function recordSubscriptionEvents(
  transaction: Transaction,
  type: EventType & `SUBSCRIPTION_${string}`,
  ids: readonly number[],
  { recruiterId, settings }: OperatorEventCause,
): Promise<void> {
  if (ids.length === 0) return;
  const events = await runStatement<Subject>(
    transaction,
    `SELECT * FROM (
       SELECT s.id AS "subjectId", COALESCE($2::bigint, ${RESPONSIBLE}) AS "recruiterId"
       FROM notification_subscriptions s WHERE s.id = ANY($1)) subject
     WHERE "recruiterId" IS NOT NULL ORDER BY "subjectId"`,
    [ids, recruiterId],
  );
  await recordEvents(transaction, { type, events }, settings);
  await queueAlertMails(transaction, type, ids);
}

/** A delivery that has just become `exhausted`. */
export interface ExhaustedDelivery {
  readonly id: number;
  readonly occurred: Date;
  readonly subscriptionId: number;
}

/**
 * Records a `DELIVERY_EXHAUSTED` event for each of these deliveries, and queues the e-mails to the owners of their
 * endpoints. Records no event when there is no recruiter.
 *
 * Source: docs/reference/notifications.md, "Operator events".
 */
export async function recordExhausted(
  transaction: Transaction,
  deliveries: readonly ExhaustedDelivery[],
  settings: ReadSettings,
): Promise<void> {
  if (deliveries.length === 0) return;
  const events = await runStatement<Subject>(
    transaction,
    `SELECT * FROM (
       SELECT given.id AS "subjectId", ${RESPONSIBLE} AS "recruiterId"
       FROM unnest($1::bigint[], $2::bigint[]) AS given (id, subscription_id)
       JOIN notification_subscriptions s ON s.id = given.subscription_id) subject
     WHERE "recruiterId" IS NOT NULL ORDER BY "subjectId"`,
    [deliveries.map(({ id }) => id), deliveries.map(({ subscriptionId }) => subscriptionId)],
  );
  const times = deliveries.map(({ occurred }) => occurred.getTime());
  const occurred = [new Date(Math.min(...times)), new Date(Math.max(...times))] as const;
  await recordEvents(transaction, { type: 'DELIVERY_EXHAUSTED', events, occurred }, settings);
  await queueAlertMails(
    transaction,
    'DELIVERY_EXHAUSTED',
    deliveries.map(({ subscriptionId }) => subscriptionId),
  );
}
