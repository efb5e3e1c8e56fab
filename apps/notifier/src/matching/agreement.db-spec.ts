// @group split: npm test runs one of the random sequences
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventType, explainEvent, reconcileDeliveries, type UnreconciledPair } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { drawSeed, withoutFirstDays } from '@ats/domain/testing';
import fc from 'fast-check';
import { systemClock } from '../config/clock.js';
import { silentLogger } from '../../test/silent-logger.js';
import { BASE_URL, recordEvent, subscribe } from '../../test/fixtures.js';
import { type Step, step, World } from '../../test/random-world.js';
import { useStage } from '../../test/running-notifier.js';
import { LowWaterMarks } from '../loops/low-water-marks.js';
import { Matcher } from './matcher.js';

const stage = useStage();
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

/**
 * Creates a matcher. Its `readSubject` invents values for datapaths that a snapshot lacks, and reports subjects with
 * odd ids as deleted.
 */
const createMatcher = (): Matcher =>
  new Matcher({
    database,
    lowWaterMarks: new LowWaterMarks(database),
    baseUrl: BASE_URL,
    clock: systemClock,
    logger: silentLogger,
    readSubject: (_, { subject_id }, datapaths) =>
      Promise.resolve(
        subject_id % 2
          ? null
          : Object.fromEntries(
              datapaths.map((datapath, index) => [datapath, [subject_id % 7, 'Ann', null][index % 3]]),
            ),
      ),
  });

async function matchAll(matcher = createMatcher()): Promise<void> {
  while ((await matcher.matchBatch()).events > 0);
}

interface Outcome {
  readonly missing: number;
  readonly unexpected: number;
  readonly undecided: number;
  readonly examples: readonly UnreconciledPair[];
}

/**
 * Compares all events with all topics, in steps of `maxTopics`. First moves the time of matching into the past, because
 * reconciliation leaves out recently matched events.
 */
async function reconcileAll(maxTopics = 1_000): Promise<Outcome> {
  await database.query(
    `UPDATE domain_events SET matched_dt = matched_dt - interval '2 minutes'
       WHERE matched_dt > now() - interval '1 minute'`,
  );
  const sum = { missing: 0, unexpected: 0, undecided: 0, examples: [] as UnreconciledPair[] };
  for (let topicId = 0; ; ) {
    const found = await reconcileDeliveries(database, {
      after: { matchedDt: null, eventId: 0, topicId },
      maxEvents: 1_000,
      maxTopics,
    });
    sum.missing += found.missing;
    sum.unexpected += found.unexpected;
    sum.undecided += found.undecided;
    sum.examples.push(...found.examples);
    topicId = found.cursor?.topicId ?? 0;
    if (topicId === 0) return sum;
  }
}

interface Pair {
  readonly event_id: number;
  readonly subscription_id: number;
}

/**
 * Explains every event for every topic that the test has not deleted.
 * @returns the subscriptions that should have a delivery
 */
async function explainAll(): Promise<readonly Pair[]> {
  const pairs = await database.query<{ event_id: number; topic_id: number }>(
    'SELECT e.id AS event_id, t.id AS topic_id FROM domain_events e, notification_topics t',
  );
  const found: Pair[] = [];
  // Only three pairs are explained at a time. With more, some statements would wait too long for a connection, and
  // fail.
  const explainNext = async (): Promise<void> => {
    for (let pair = pairs.pop(); pair; pair = pairs.pop()) found.push(...(await explainedFor(pair)));
  };
  await Promise.all([explainNext(), explainNext(), explainNext()]);
  return found.sort(inOrder);
}

async function explainedFor({
  event_id,
  topic_id,
}: {
  readonly event_id: number;
  readonly topic_id: number;
}): Promise<readonly Pair[]> {
  const { verdicts } = (await explainEvent(database, { topicId: topic_id, eventId: event_id }, { baseUrl: BASE_URL }))
    .explanation;
  const passed = (step: string): readonly (number | null)[] =>
    verdicts
      .filter((verdict) => verdict.step === step && verdict.ok)
      .map(({ subscription }) => subscription?.id ?? null);
  if (passed('type').length === 0 || passed('expression').length === 0) return [];
  const aboutThemselves = verdicts.flatMap(({ info, subscription }) =>
    String(info).includes('no messages about itself') ? [subscription?.id] : [],
  );
  return passed('window').flatMap((id) =>
    id === null || aboutThemselves.includes(id) ? [] : { event_id, subscription_id: id },
  );
}

/** Returns pairs of event and subscription: the deliveries of all topics that the test has not deleted. */
async function deliveredTo(): Promise<readonly Pair[]> {
  const rows = await database.query<Pair>(
    `SELECT event_id, subscription_id FROM notification_deliveries WHERE topic_id IN (SELECT id
       FROM notification_topics)`,
  );
  return rows.sort(inOrder);
}

const inOrder = (a: Pair, b: Pair): number => a.event_id - b.event_id || a.subscription_id - b.subscription_id;

/** Minimum number of random sequences. More follow, up to `MAX_SEQUENCES`, until there are enough deliveries. */
const SEQUENCES = process.env['TEST_ALL'] === '1' ? 30 : 1;
const MAX_SEQUENCES = 100;
/** Minimum number of deliveries, because a test with fewer would show little. */
const ENOUGH = 30;
const NOTHING_WRONG = { missing: 0, unexpected: 0, undecided: 0, examples: [] };

describe('matching and the evaluation without an index', () => {
  it('agree for random sequences of topics, subscriptions and events', async () => {
    let deliveries = 0;
    let sequences = 0;
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
          fc.integer({ min: 1, max: 5 }),
          async (steps, maxTopics) => {
            if (sequences >= SEQUENCES && deliveries > ENOUGH) return;
            sequences += 1;
            const world = new World(database);
            const matcher = createMatcher();
            for (const one of steps) {
              if (one.kind === 'match') await matcher.matchBatch();
              else await world.take(one);
            }
            await matchAll(matcher);
            expect(await reconcileAll(maxTopics)).toEqual(NOTHING_WRONG);
            expect(await explainAll()).toEqual(await deliveredTo());
            deliveries += await count();
          },
        )
        .afterEach(() => stage.reset()),
      { numRuns: MAX_SEQUENCES },
    );
    expect(deliveries).toBeGreaterThan(ENOUGH);
  });

  it.each<EventType>(['SUBSCRIPTION_DISABLED', 'SUBSCRIPTION_RECOVERED', 'DELIVERY_EXHAUSTED'])(
    'agree that a subscription gets no %s event about itself',
    async (type) => {
      const { topic, subscription } = await subscribe(database, { type });
      const other = await subscribe(database, { type, topicId: topic.id });
      const { id } = subscription;
      const eventId = await recordEvent(database, {
        type,
        ...(type === 'DELIVERY_EXHAUSTED'
          ? { facts: { 'notification_delivery.subscription.id': id } }
          : { subjectId: id }),
      });
      await matchAll();
      expect(await deliveredTo()).toEqual([{ event_id: eventId, subscription_id: other.subscription.id }]);
      expect(await explainAll()).toEqual(await deliveredTo());
      expect(await reconcileAll()).toEqual(NOTHING_WRONG);
    },
  );

  it('agree while writers and matchers run concurrently', async () => {
    const seed = drawSeed('AGREEMENT_SEED');
    const writers = fc.sample(fc.array(step, { minLength: 60, maxLength: 60 }), { numRuns: 4, seed });
    let areWriting = true;
    const match = async (): Promise<void> => {
      const matcher = createMatcher();
      while (areWriting) await matcher.matchBatch();
      await matchAll(matcher);
    };
    const write = async (steps: readonly Step[]): Promise<void> => {
      const world = new World(database);
      for (const one of steps) await world.take(one);
    };
    const matching = [match(), match()];
    await Promise.all(writers.map(write));
    areWriting = false;
    await Promise.all(matching);
    expect([seed, await reconcileAll()]).toEqual([seed, NOTHING_WRONG]);
    expect(await count()).toBeGreaterThan(0);
  });

  const count = async (): Promise<number> => (await database.query('SELECT FROM notification_deliveries')).length;
});

describe('the reconciliation', () => {
  it('reports a missing and an unexpected delivery', async () => {
    const { subscription } = await subscribe(database, { expression: 'application.user.firstname == "Ann"' });
    const other = await subscribe(database, { expression: 'application.user.firstname == "Ben"' });
    const eventId = await recordEvent(database, { facts: { 'application.user.firstname': 'Ann' } });
    await matchAll();
    expect(await reconcileAll()).toEqual(NOTHING_WRONG);
    await database.query('UPDATE notification_deliveries SET subscription_id = $1, topic_id = $2', [
      other.subscription.id,
      other.topic.id,
    ]);
    expect(await reconcileAll()).toEqual({
      missing: 1,
      unexpected: 1,
      undecided: 0,
      examples: [
        { kind: 'missing', eventId, subscriptionId: subscription.id },
        { kind: 'unexpected', eventId, subscriptionId: other.subscription.id },
      ],
    });
  });

  it('continues where the last round ended, first with the next topics, then with the next events', async () => {
    for (let topic = 0; topic < 3; topic++) await subscribe(database);
    for (let event = 0; event < 3; event++) await recordEvent(database);
    await matchAll();
    const steps: object[] = [];
    let after: Awaited<ReturnType<typeof reconcileDeliveries>>['cursor'] = null;
    expect(await reconcileDeliveries(database, { after, maxEvents: 2, maxTopics: 2 })).toMatchObject({
      checked: 0,
      cursor: null,
    });
    await database.query(`UPDATE domain_events SET matched_dt = matched_dt - interval '2 minutes'`);
    for (let step = 0; step < 3; step++) {
      const { checked, topics, isComplete, cursor } = await reconcileDeliveries(database, {
        after,
        maxEvents: 2,
        maxTopics: 2,
      });
      steps.push({ checked, topics, isComplete });
      after = cursor;
    }
    expect(steps).toEqual([
      { checked: 2, topics: 2, isComplete: false },
      { checked: 1, topics: 1, isComplete: false },
      { checked: 0, topics: 0, isComplete: true },
    ]);
  });

  it('ignores test messages, and deliveries after their storage period', async () => {
    const { subscription, topic } = await subscribe(database);
    const eventId = await recordEvent(database, { occurred: new Date('2020-01-01T00:00:00Z') });
    await database.query(`UPDATE notification_subscription_revisions SET active_from_dt = '2019-01-01'`);
    await matchAll();
    expect(await reconcileAll()).toMatchObject({
      missing: 1,
      examples: [{ kind: 'missing', eventId, subscriptionId: subscription.id }],
    });
    await database.query(
      `INSERT INTO notification_deliveries (occurred_dt, message_id, subscription_id, topic_id, topic_revision,
         sequence, body, status, reason)
       VALUES (now(), gen_random_uuid(), $1, $2, 1, 0, '{}', 'delivered', 'ping')`,
      [subscription.id, topic.id],
    );
    expect(await withoutFirstDays(database, reconcileAll)).toEqual(NOTHING_WRONG);
  });

  it('reports no difference for topics that depend on values of an anonymised person', async () => {
    await subscribe(database, { expression: 'application.user.firstname == "Ann"' });
    await subscribe(database, { expression: 'application.id == 7' });
    const eventId = await recordEvent(database, { facts: { 'application.user.firstname': 'Ann' } });
    await matchAll();
    await database.query(
      `UPDATE domain_events SET facts = facts || '{"application.user.firstname": null}', anonymised_dt = now()
         WHERE id = $1`,
      [eventId],
    );
    expect(await reconcileAll()).toEqual({ ...NOTHING_WRONG, undecided: 1 });
  });
});
