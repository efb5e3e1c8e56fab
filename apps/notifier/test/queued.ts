import { type Database } from '@ats/postgres';
import { randomUUID } from 'node:crypto';
import { claimDeliveries, type ClaimedDelivery } from '../src/delivery/store/claimed-deliveries.js';

/**
 * Adds a delivery that was queued `ageMs` ago.
 * @returns the id of the delivery
 */
export async function addQueued(database: Database, subscriptionId: number, ageMs = 0): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id,
       topic_revision, subject_type, subject_id,
       sequence, body, status, queued_dt)
     SELECT now(), gen_random_uuid(), (random() * 1e15)::bigint, id, topic_id, 1, 'application', 7, 1, '{}', 'queued',
       clock_timestamp() - $2 * interval '1 millisecond'
     FROM notification_subscriptions WHERE id = $1 RETURNING id`,
    [subscriptionId, ageMs],
  );
  if (!row) throw new Error(`there is no subscription ${subscriptionId}`);
  return row.id;
}

/** Claims a queued delivery as the job of the delivery does. */
export async function claimOne(
  database: Database,
  deliveryId: number,
  { attempts = 0, requeues = 0, worker = 1 } = {},
): Promise<ClaimedDelivery | null> {
  const [row] = await database.query<{ occurred_dt: Date }>(
    'SELECT occurred_dt FROM notification_deliveries WHERE id = $1',
    [deliveryId],
  );
  const job = { deliveryId, occurred: row?.occurred_dt.getTime() ?? 0, attempts, requeues };
  const [claimed] = await claimDeliveries(database, [{ job, token: randomUUID() }], worker);
  if (claimed === 'batch') throw new Error('the endpoint sends batches: use claimBatch for its deliveries');
  return claimed ?? null;
}
