import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSubscription, createTopic, deleteSubscription, disableSubscription, replaceTopic } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { systemClock } from '../config/clock.js';
import { silentLogger } from '../../test/silent-logger.js';
import { BASE_URL, readDeliveries, recordEvent, secretBox, subscribe } from '../../test/fixtures.js';
import { useStage } from '../../test/running-notifier.js';
import { Matcher, type ReadSubject } from './matcher.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

const mustNotRead: ReadSubject = () => Promise.reject(new Error('the snapshot holds all values that are needed'));
const createMatcher = (readSubject: ReadSubject = mustNotRead): Matcher =>
  new Matcher({ database, baseUrl: BASE_URL, readSubject, clock: systemClock, logger: silentLogger });
const values = {
  type: 'STATE_CHANGE_APPLICATION',
  name: 'a topic',
  description: null,
  expression: null,
  datapaths: [],
} as const;
const url = 'https://receiver.example.com/';
const readEvents = (): Promise<{ status: string; tries: number }[]> =>
  database.query('SELECT status, tries FROM domain_events ORDER BY id');
const forgetWaits = (): Promise<object[]> => database.query('UPDATE domain_events SET retry_dt = NULL');

describe('matching', () => {
  it('creates one delivery for each subscription whose topic matches, and marks the event done', async () => {
    const ann = await subscribe(database, { expression: 'application.user.firstname == "Ann"' });
    await subscribe(database, { expression: 'application.user.firstname == "Ben"' });
    const all = await subscribe(database, { expression: '  ' });
    await subscribe(database, { type: 'STATE_CHANGE_OPPORTUNITY' });
    const eventId = await recordEvent(database, { facts: { 'application.user.firstname': 'Ann' } });
    expect(await createMatcher().matchBatch()).toEqual({ events: 1, deliveries: 2 });
    expect(await readDeliveries(database)).toMatchObject([
      { event_id: eventId, subscription_id: ann.subscription.id, sequence: 1, status: 'due', topic_revision: 1 },
      { event_id: eventId, subscription_id: all.subscription.id, sequence: 1, status: 'due' },
    ]);
    expect(await readEvents()).toEqual([{ status: 'done', tries: 0 }]);
  });

  it('evaluates form values that the event carries', async () => {
    const [form] = await database.query<{ item: number }>(
      `WITH f AS (INSERT INTO forms (name, resource) VALUES ('Form', 'applications') RETURNING id),
         s AS (INSERT INTO form_sections (form_id, position, name) SELECT id, 0, '{}' FROM f RETURNING id)
       INSERT INTO form_items (section_id, position, key, label, type) SELECT id, 0, 'answer', '{}', 'integer' FROM s
         RETURNING id AS item`,
    );
    const datapath = `application.formdata.${form?.item ?? 0}`;
    const { subscription } = await subscribe(database, { expression: `${datapath} >= 5` });
    for (const value of [4, 5, null]) await recordEvent(database, { facts: { [datapath]: value } });
    await createMatcher().matchBatch();
    expect(await readDeliveries(database)).toMatchObject([{ subscription_id: subscription.id, sequence: 1 }]);
  });

  it('copies the request id of an event, or null', async () => {
    await subscribe(database);
    await recordEvent(database, { requestId: 'request-1' });
    await recordEvent(database);
    await createMatcher().matchBatch();
    expect((await readDeliveries(database)).map(({ request_id }) => request_id)).toEqual(['request-1', null]);
  });

  it('creates no second delivery when an event is matched again', async () => {
    const { subscription } = await subscribe(database);
    await recordEvent(database);
    const matcher = createMatcher();
    await matcher.matchBatch();
    await database.query(`UPDATE domain_events SET status = 'new'`);
    expect(await matcher.matchBatch()).toEqual({ events: 1, deliveries: 0 });
    expect(await readEvents()).toEqual([{ status: 'done', tries: 0 }]);
    expect(await readDeliveries(database)).toHaveLength(1);
    await recordEvent(database);
    await matcher.matchBatch();
    expect(
      (await readDeliveries(database)).map(({ sequence, subscription_id }) => [subscription_id, sequence]),
    ).toEqual([
      [subscription.id, 1],
      [subscription.id, 2],
    ]);
  });

  it('includes the start of a period and excludes its end, to the millisecond', async () => {
    const start = new Date(Date.now() + 60_000);
    const end = new Date(start.getTime() + 1_000);
    await subscribe(database, { start, end });
    for (const offset of [-1, 0, 999, 1_000])
      await recordEvent(database, { occurred: new Date(start.getTime() + offset), subjectId: 100 + offset });
    await createMatcher().matchBatch();
    const timestamps = (await readDeliveries(database)).map(
      ({ body }) => (JSON.parse(body) as { timestamp: string }).timestamp,
    );
    expect(timestamps).toEqual([start.toISOString(), new Date(start.getTime() + 999).toISOString()]);
  });

  it('treats a start in the past as the time of creation', async () => {
    const before = new Date(Date.now() - 60_000);
    await subscribe(database, { start: new Date(before.getTime() - 60_000) });
    await recordEvent(database, { occurred: before });
    await recordEvent(database);
    expect((await createMatcher().matchBatch()).deliveries).toBe(1);
  });

  it('follows every committed change of topics and subscriptions', async () => {
    const matcher = createMatcher();
    const { topic, subscription } = await subscribe(database, { expression: 'application.user.firstname == "Ann"' });
    const facts = { 'application.user.firstname': 'Ann' };
    const matched = async (): Promise<number> => {
      await recordEvent(database, { facts });
      return (await matcher.matchBatch()).deliveries;
    };
    expect(await matched()).toBe(1);
    await database.transaction((transaction) =>
      replaceTopic(transaction, topic.id, { ...values, expression: 'application.user.firstname == "Ben"' }),
    );
    expect(await matched()).toBe(0);
    await database.transaction((transaction) => replaceTopic(transaction, topic.id, values));
    expect(await matched()).toBe(1);
    await database.transaction((transaction) =>
      createSubscription(transaction, topic.id, { start_dt: null, end_dt: null, destination_url: url }, secretBox),
    );
    expect(await matched()).toBe(2);
    await database.transaction((transaction) =>
      deleteSubscription(transaction, { topicId: topic.id, id: subscription.id }),
    );
    expect(await matched()).toBe(1);
    expect((await readDeliveries(database)).map(({ topic_revision }) => topic_revision)).toEqual([1, 3, 3, 3, 3]);
  });

  it('reads all topics again when the changes that it needs are deleted', async () => {
    const matcher = createMatcher();
    await subscribe(database);
    await recordEvent(database);
    await matcher.matchBatch();
    await subscribe(database);
    await subscribe(database);
    await database.query(
      'DELETE FROM notification_index_changes WHERE version < (SELECT version FROM notification_index_version)',
    );
    await recordEvent(database);
    expect((await matcher.matchBatch()).deliveries).toBe(3);
  });

  it('holds deliveries of a disabled subscription in the same sequence', async () => {
    const { subscription } = await subscribe(database);
    const matcher = createMatcher();
    await recordEvent(database);
    await matcher.matchBatch();
    await database.transaction((transaction) => disableSubscription(transaction, subscription.id, 'requested'));
    await recordEvent(database);
    await matcher.matchBatch();
    expect(await readDeliveries(database)).toMatchObject([
      { sequence: 1, status: 'held' },
      { sequence: 2, status: 'held' },
    ]);
  });
});

describe('a value that the event does not carry', () => {
  it('is read and stored when a topic depends on it', async () => {
    await subscribe(database, { expression: 'application.user.lastname == "Lee"' });
    const eventId = await recordEvent(database);
    const wanted: unknown[] = [];
    const matcher = createMatcher((_, event, datapaths) => {
      wanted.push([event.id, datapaths]);
      return Promise.resolve({ 'application.user.lastname': 'Lee' });
    });
    expect((await matcher.matchBatch()).deliveries).toBe(1);
    expect(wanted).toEqual([[eventId, ['application.user.lastname']]]);
    expect(await database.query('SELECT event_id, facts FROM notification_late_facts')).toEqual([
      { event_id: eventId, facts: { 'application.user.lastname': 'Lee' } },
    ]);
  });

  it('is not read when another condition decides', async () => {
    await subscribe(database, {
      expression: 'application.user.firstname == "Ben" AND application.user.lastname == "Lee"',
    });
    await recordEvent(database, { facts: { 'application.user.firstname': 'Ann' } });
    expect(await createMatcher().matchBatch()).toEqual({ events: 1, deliveries: 0 });
    expect(await readEvents()).toEqual([{ status: 'done', tries: 0 }]);
  });

  it('is null when the subject was deleted', async () => {
    await subscribe(database, { expression: 'application.user.lastname == null' });
    await recordEvent(database);
    expect((await createMatcher(() => Promise.resolve(null)).matchBatch()).deliveries).toBe(1);
  });

  it('never replaces a value that the event carries', async () => {
    await subscribe(database, {
      expression: 'application.user.firstname == "Ann" AND application.user.lastname == "Lee"',
    });
    await recordEvent(database, { facts: { 'application.user.firstname': 'Ann' } });
    const matcher = createMatcher(() =>
      Promise.resolve({ 'application.user.firstname': 'Ben', 'application.user.lastname': 'Lee' }),
    );
    expect((await matcher.matchBatch()).deliveries).toBe(1);
  });
});

describe('an event that cannot be matched', () => {
  it('does not block other events, and is quarantined after 5 tries', async () => {
    await subscribe(database, { type: 'POSTING_UPDATE' });
    await recordEvent(database, { type: 'POSTING_UPDATE', subjectId: 1, facts: { 'posting.vacancy.id': null } });
    await recordEvent(database, { type: 'POSTING_UPDATE', subjectId: 2 });
    const matcher = createMatcher();
    expect(await matcher.matchBatch()).toEqual({ events: 2, deliveries: 1 });
    expect(await readEvents()).toEqual([
      { status: 'new', tries: 1 },
      { status: 'done', tries: 0 },
    ]);
    expect(await matcher.matchBatch()).toEqual({ events: 0, deliveries: 0 });
    for (let tries = 2; tries <= 5; tries++) {
      await forgetWaits();
      await matcher.matchBatch();
    }
    expect(await readEvents()).toEqual([
      { status: 'quarantined', tries: 5 },
      { status: 'done', tries: 0 },
    ]);
  });

  it('fails alone when its deliveries cannot be written', async () => {
    const { subscription } = await subscribe(database);
    await recordEvent(database, { subjectId: 1 });
    await recordEvent(database, { subjectId: 2 });
    await database.query(`ALTER TABLE notification_deliveries ADD CONSTRAINT ck_test CHECK (subject_id <> 1)`);
    try {
      expect(await createMatcher().matchBatch()).toEqual({ events: 2, deliveries: 1 });
    } finally {
      await database.query('ALTER TABLE notification_deliveries DROP CONSTRAINT ck_test');
    }
    expect(await readEvents()).toEqual([
      { status: 'new', tries: 1 },
      { status: 'done', tries: 0 },
    ]);
    await forgetWaits();
    await createMatcher().matchBatch();
    expect(
      (await readDeliveries(database)).map(({ subscription_id, sequence }) => [subscription_id, sequence]),
    ).toEqual([
      [subscription.id, 1],
      [subscription.id, 2],
    ]);
  });

  it('is repeated when a late value could not be read', async () => {
    await subscribe(database, { expression: 'application.user.lastname == "Lee"' });
    await recordEvent(database, { subjectId: 1 });
    await recordEvent(database, { subjectId: 2, facts: { 'application.user.lastname': 'Lee' } });
    const matcher = createMatcher(async (transaction) => {
      await transaction.query('SELECT 1 / 0');
      return null;
    });
    expect(await matcher.matchBatch()).toEqual({ events: 2, deliveries: 1 });
    expect(await readEvents()).toEqual([
      { status: 'new', tries: 1 },
      { status: 'done', tries: 0 },
    ]);
  });
});

describe('several concurrent matchers', () => {
  it('create each delivery once, with sequences without gaps', async () => {
    const subscriptions = [await subscribe(database), await subscribe(database)];
    for (let index = 0; index < 60; index++) await recordEvent(database, { subjectId: index });
    const matchers = [createMatcher(), createMatcher(), createMatcher()];
    const writer = (async () => {
      for (let index = 60; index < 120; index++) await recordEvent(database, { subjectId: index });
    })();
    const work = matchers.map(async (matcher) => {
      for (let round = 0; round < 30; round++) await matcher.matchBatch();
    });
    await Promise.all([writer, ...work]);
    await createMatcher().matchBatch();
    const deliveries = await readDeliveries(database);
    for (const { subscription } of subscriptions) {
      const own = deliveries.filter((delivery) => delivery.subscription_id === subscription.id);
      expect(own.map(({ sequence }) => sequence).sort((left, right) => left - right)).toEqual(
        Array.from({ length: 120 }, (_, index) => index + 1),
      );
      expect(new Set(own.map(({ event_id }) => event_id)).size).toBe(120);
    }
    expect(new Set((await readEvents()).map(({ tries }) => tries))).toEqual(new Set([0]));
  });

  it('miss no event after the creation of a subscription', async () => {
    const topic = await database.transaction((transaction) => createTopic(transaction, values));
    const matcher = createMatcher();
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
          { start_dt: null, end_dt: null, destination_url: url },
          secretBox,
        );
        // The commit is late: events until then must not be missed.
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
