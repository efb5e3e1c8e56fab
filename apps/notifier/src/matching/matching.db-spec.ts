import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSubscription, deleteSubscription, disableSubscription, replaceTopic } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { BY_NOTIFIER, readDeliveries, recordEvent, secretBox, subscribe } from '../../test/fixtures.js';
import { createMatcher, DESTINATION_URL, readEvents, TOPIC } from '../../test/matchers.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

/** Postpones the next try of failed events, so that none is due while the test runs. */
const lengthenWaits = (): Promise<object[]> =>
  database.query(`UPDATE domain_events SET retry_dt = retry_dt + interval '1 hour'`);
const forgetWaits = (): Promise<object[]> => database.query('UPDATE domain_events SET retry_dt = NULL');

describe('matching an event', () => {
  it('creates one delivery for each subscription whose topic matches, and marks the event done', async () => {
    const ann = await subscribe(database, { expression: 'application.user.firstname == "Ann"' });
    await subscribe(database, { expression: 'application.user.firstname == "Ben"' });
    const all = await subscribe(database, { expression: '  ' });
    await subscribe(database, { type: 'STATE_CHANGE_OPPORTUNITY' });
    const eventId = await recordEvent(database, { facts: { 'application.user.firstname': 'Ann' } });
    expect(await createMatcher(database).matchBatch()).toEqual({ events: 1, deliveries: 2 });
    expect(await readDeliveries(database)).toMatchObject([
      { event_id: eventId, subscription_id: ann.subscription.id, sequence: 1, status: 'due', topic_revision: 1 },
      { event_id: eventId, subscription_id: all.subscription.id, sequence: 1, status: 'due' },
    ]);
    expect(await readEvents(database)).toEqual([{ status: 'done', tries: 0 }]);
  });

  it('evaluates form values in the snapshot of an event', async () => {
    const [form] = await database.query<{ item: number }>(
      `WITH f AS (INSERT INTO forms (name, resource) VALUES ('Form', 'applications') RETURNING id),
         s AS (INSERT INTO form_sections (form_id, position, name) SELECT id, 0, '{}' FROM f RETURNING id)
       INSERT INTO form_items (section_id, position, key, label, type) SELECT id, 0, 'answer', '{}', 'integer' FROM s
         RETURNING id AS item`,
    );
    const datapath = `application.formdata.${form?.item ?? 0}`;
    const { subscription } = await subscribe(database, { expression: `${datapath} >= 5` });
    for (const value of [4, 5, null]) await recordEvent(database, { facts: { [datapath]: value } });
    await createMatcher(database).matchBatch();
    expect(await readDeliveries(database)).toMatchObject([{ subscription_id: subscription.id, sequence: 1 }]);
  });

  it('copies the request id of an event, or null', async () => {
    await subscribe(database);
    await recordEvent(database, { requestId: 'request-1' });
    await recordEvent(database);
    await createMatcher(database).matchBatch();
    expect((await readDeliveries(database)).map(({ request_id }) => request_id)).toEqual(['request-1', null]);
  });

  it('creates no second delivery when an event is matched again', async () => {
    const { subscription } = await subscribe(database);
    await recordEvent(database);
    const matcher = createMatcher(database);
    await matcher.matchBatch();
    await database.query(`UPDATE domain_events SET status = 'new'`);
    expect(await matcher.matchBatch()).toEqual({ events: 1, deliveries: 0 });
    expect(await readEvents(database)).toEqual([{ status: 'done', tries: 0 }]);
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
    await createMatcher(database).matchBatch();
    const timestamps = (await readDeliveries(database)).map(
      ({ body }) => (JSON.parse(body) as { timestamp: string }).timestamp,
    );
    expect(timestamps).toEqual([start.toISOString(), new Date(start.getTime() + 999).toISOString()]);
  });

  it('treats a subscription whose start is in the past as starting at its creation', async () => {
    const before = new Date(Date.now() - 60_000);
    await subscribe(database, { start: new Date(before.getTime() - 60_000) });
    await recordEvent(database, { occurred: before });
    await recordEvent(database);
    expect((await createMatcher(database).matchBatch()).deliveries).toBe(1);
  });

  it('considers every committed change of topics and subscriptions', async () => {
    const matcher = createMatcher(database);
    const { topic, subscription } = await subscribe(database, { expression: 'application.user.firstname == "Ann"' });
    const facts = { 'application.user.firstname': 'Ann' };
    const matched = async (): Promise<number> => {
      await recordEvent(database, { facts });
      return (await matcher.matchBatch()).deliveries;
    };
    expect(await matched()).toBe(1);
    await database.transaction((transaction) =>
      replaceTopic(transaction, topic.id, { ...TOPIC, expression: 'application.user.firstname == "Ben"' }),
    );
    expect(await matched()).toBe(0);
    await database.transaction((transaction) => replaceTopic(transaction, topic.id, TOPIC));
    expect(await matched()).toBe(1);
    await database.transaction((transaction) =>
      createSubscription(
        transaction,
        topic.id,
        { start_dt: null, end_dt: null, destination_url: DESTINATION_URL },
        secretBox,
      ),
    );
    expect(await matched()).toBe(2);
    await database.transaction((transaction) =>
      deleteSubscription(transaction, { topicId: topic.id, id: subscription.id }),
    );
    expect(await matched()).toBe(1);
    expect((await readDeliveries(database)).map(({ topic_revision }) => topic_revision)).toEqual([1, 3, 3, 3, 3]);
  });

  it('reads all topics again when the changes that it needs are deleted', async () => {
    const matcher = createMatcher(database);
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
    const matcher = createMatcher(database);
    await recordEvent(database);
    await matcher.matchBatch();
    await database.transaction((transaction) =>
      disableSubscription(transaction, subscription.id, 'requested', BY_NOTIFIER),
    );
    await recordEvent(database);
    await matcher.matchBatch();
    expect(await readDeliveries(database)).toMatchObject([
      { sequence: 1, status: 'held' },
      { sequence: 2, status: 'held' },
    ]);
  });
});

describe('a value that is missing from the snapshot of an event', () => {
  it('is read and stored when a topic depends on it', async () => {
    await subscribe(database, { expression: 'application.user.lastname == "Lee"' });
    const eventId = await recordEvent(database);
    const wanted: unknown[] = [];
    const matcher = createMatcher(database, (_, event, datapaths) => {
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
    expect(await createMatcher(database).matchBatch()).toEqual({ events: 1, deliveries: 0 });
    expect(await readEvents(database)).toEqual([{ status: 'done', tries: 0 }]);
  });

  it('is null when the subject was deleted', async () => {
    await subscribe(database, { expression: 'application.user.lastname == null' });
    await recordEvent(database);
    expect((await createMatcher(database, () => Promise.resolve(null)).matchBatch()).deliveries).toBe(1);
  });

  it('never replaces a value that is in the snapshot', async () => {
    await subscribe(database, {
      expression: 'application.user.firstname == "Ann" AND application.user.lastname == "Lee"',
    });
    await recordEvent(database, { facts: { 'application.user.firstname': 'Ann' } });
    const matcher = createMatcher(database, () =>
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
    const matcher = createMatcher(database);
    expect(await matcher.matchBatch()).toEqual({ events: 2, deliveries: 1 });
    expect(await readEvents(database)).toEqual([
      { status: 'new', tries: 1 },
      { status: 'done', tries: 0 },
    ]);
    await lengthenWaits();
    expect(await matcher.matchBatch()).toEqual({ events: 0, deliveries: 0 });
    for (let tries = 2; tries <= 5; tries++) {
      await forgetWaits();
      await matcher.matchBatch();
    }
    expect(await readEvents(database)).toEqual([
      { status: 'quarantined', tries: 5 },
      { status: 'done', tries: 0 },
    ]);
  });

  it('does not make other events fail when its deliveries cannot be written', async () => {
    const { subscription } = await subscribe(database);
    await recordEvent(database, { subjectId: 1 });
    await recordEvent(database, { subjectId: 2 });
    await database.query(`ALTER TABLE notification_deliveries ADD CONSTRAINT ck_test CHECK (subject_id <> 1)`);
    try {
      expect(await createMatcher(database).matchBatch()).toEqual({ events: 2, deliveries: 1 });
    } finally {
      await database.query('ALTER TABLE notification_deliveries DROP CONSTRAINT ck_test');
    }
    expect(await readEvents(database)).toEqual([
      { status: 'new', tries: 1 },
      { status: 'done', tries: 0 },
    ]);
    await forgetWaits();
    await createMatcher(database).matchBatch();
    expect(
      (await readDeliveries(database)).map(({ subscription_id, sequence }) => [subscription_id, sequence]),
    ).toEqual([
      [subscription.id, 1],
      [subscription.id, 2],
    ]);
  });

  it('is matched again when a value that its snapshot lacks could not be read', async () => {
    await subscribe(database, { expression: 'application.user.lastname == "Lee"' });
    await recordEvent(database, { subjectId: 1 });
    await recordEvent(database, { subjectId: 2, facts: { 'application.user.lastname': 'Lee' } });
    const matcher = createMatcher(database, async (transaction) => {
      await transaction.query('SELECT 1 / 0');
      return null;
    });
    expect(await matcher.matchBatch()).toEqual({ events: 2, deliveries: 1 });
    expect(await readEvents(database)).toEqual([
      { status: 'new', tries: 1 },
      { status: 'done', tries: 0 },
    ]);
  });
});
