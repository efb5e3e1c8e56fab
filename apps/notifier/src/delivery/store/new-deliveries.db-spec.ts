import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, runStatement } from '@ats/postgres';
import { randomUUID } from 'node:crypto';
import { subscribe } from '../../../test/fixtures.js';
import { deliveriesRead } from '../../../test/plan.js';
import { useStage } from '../../../test/running-notifier.js';
import { INSERT, insertDeliveries, type NewDelivery, toParameters } from './new-deliveries.js';

const stage = useStage();
let database: Database;
let topic: { readonly id: number; readonly revision: number };
let subscription: { readonly id: number };

beforeAll(() => void ({ database } = stage));
beforeEach(async () => {
  const subscribed = await subscribe(database);
  topic = { id: subscribed.topic.id, revision: 1 };
  subscription = subscribed.subscription;
});
afterEach(() => stage.reset());

const deliveryOf = (eventId: number): NewDelivery => ({
  event: { id: eventId, occurred_dt: new Date(), subject_type: 'application', subject_id: 1, request_id: null },
  topic,
  subscription,
  messageId: randomUUID(),
  body: '{}',
  traceparent: null,
});

describe('inserting deliveries', () => {
  it('needs one plan for all batches of a connection', async () => {
    const plans = await database.transaction(async (transaction) => {
      for (const eventId of [1, 2, 3]) await insertDeliveries(transaction, [deliveryOf(eventId)]);
      return runStatement<{ custom_plans: number }>(
        transaction,
        `SELECT custom_plans FROM pg_prepared_statements WHERE statement LIKE '%INSERT INTO notification_deliveries%'`,
      );
    });
    expect(plans).toEqual([{ custom_plans: 0 }]);
  });

  it('reads no deliveries of other events, even without statistics of the table', async () => {
    const others = Array.from({ length: 300 }, (_, index) => deliveryOf(index));
    const read = await database.transaction(async (transaction) => {
      await insertDeliveries(transaction, others);
      const parameters = toParameters([deliveryOf(1_000)]);
      return deliveriesRead(async (text) => ({ rows: await runStatement(transaction, text, parameters) }), INSERT.text);
    });
    expect(read).toBe(0);
  });
});
