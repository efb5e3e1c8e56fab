import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSubscription, createTopic } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { readDeliveries, recordEvent, secretBox, subscribe } from '../../test/fixtures.js';
import { createMatcher, DESTINATION_URL, readEvents, TOPIC } from '../../test/matchers.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

describe('several concurrent matchers', () => {
  it('create each delivery once, with sequences without gaps', async () => {
    const subscriptions = [await subscribe(database), await subscribe(database)];
    for (let index = 0; index < 60; index++) await recordEvent(database, { subjectId: index });
    const matchers = [createMatcher(database), createMatcher(database), createMatcher(database)];
    let isWriting = true;
    const writer = (async () => {
      for (let index = 60; index < 120; index++) await recordEvent(database, { subjectId: index });
    })().finally(() => (isWriting = false));
    const work = matchers.map(async (matcher) => {
      while (isWriting) await matcher.matchBatch();
    });
    await Promise.all([writer, ...work]);
    while ((await createMatcher(database).matchBatch()).events > 0);
    const deliveries = await readDeliveries(database);
    for (const { subscription } of subscriptions) {
      const own = deliveries.filter((delivery) => delivery.subscription_id === subscription.id);
      expect(own.map(({ sequence }) => sequence).sort((left, right) => left - right)).toEqual(
        Array.from({ length: 120 }, (_, index) => index + 1),
      );
      expect(new Set(own.map(({ event_id }) => event_id)).size).toBe(120);
    }
    expect(new Set((await readEvents(database)).map(({ tries }) => tries))).toEqual(new Set([0]));
  });

  it('miss no event after the creation of a subscription', async () => {
    const topic = await database.transaction((transaction) => createTopic(transaction, TOPIC));
    const matcher = createMatcher(database);
    const insert = (seconds: number): Promise<void> =>
      database.transaction(async (transaction) => {
        await transaction.query(
          `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts)
           VALUES ('STATE_CHANGE_APPLICATION', 'application', 7, 3, 'UTC',
             '{"application.app_type": "vacancy_application"}')`,
        );
        await transaction.query('SELECT pg_sleep($1)', [seconds]);
      });
    const create = (): Promise<unknown> =>
      database.transaction(async (transaction) => {
        const created = await createSubscription(
          transaction,
          topic.id,
          { start_dt: null, end_dt: null, destination_url: DESTINATION_URL },
          secretBox,
        );
        // Delays the commit, because events between `created_dt` of the subscription and the commit must also get a
        // delivery.
        await transaction.query('SELECT pg_sleep(0.004)');
        return created;
      });
    const matchTwice = async (): Promise<void> => {
      for (let times = 0; times < 2; times++) await matcher.matchBatch();
    };
    for (let round = 0; round < 40; round++)
      await Promise.all([create(), insert(0), insert(0.002), insert(0.005), matchTwice()]);
    while ((await matcher.matchBatch()).events > 0);
    expect(
      await database.query(
        `SELECT s.id AS subscription, e.id AS event FROM notification_subscriptions s
           JOIN domain_events e ON e.occurred_dt >= s.created_dt
         WHERE NOT EXISTS (SELECT FROM notification_deliveries d WHERE d.event_id = e.id AND d.subscription_id = s.id)`,
      ),
    ).toEqual([]);
  });
});
