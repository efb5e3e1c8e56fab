// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventType } from '@ats/domain';
import { type Database } from '@ats/postgres';
import fc from 'fast-check';
import { outcomeOf } from '../../test/attempts.js';
import { addRecruiters, recordEvent, subscribe, WORKER } from '../../test/fixtures.js';
import { createMatcher } from '../../test/matchers.js';
import { claimOne } from '../../test/queued.js';
import { useStage } from '../../test/running-notifier.js';
import { finishAttempts, type FinishedAttempt } from './store/finish-attempts.js';

const stage = useStage();
let database: Database;

beforeAll(async () => {
  ({ database } = stage);
  await addRecruiters(database, 12);
});
afterEach(() => stage.reset());

/** The status codes with which a destination answers the attempts of each message. The last one is repeated. */
type Answers = readonly number[];
const answers = fc.constantFrom<Answers>([204], [500], [410], [500, 500, 500, 500, 500, 204], [500, 410]);

/** Greatest number of attempts of each delivery. */
const MOST_ATTEMPTS = 7;

/**
 * Matches all events and makes one attempt for each due delivery. Repeats this until nothing is due.
 * @returns the number of rounds; undefined when something is still due after `most` rounds
 */
async function roundsUntilRest(
  bySubscription: ReadonlyMap<number, Answers>,
  most: number,
): Promise<number | undefined> {
  const matcher = createMatcher(database);
  for (let round = 0; round < most; round++) {
    while ((await matcher.matchBatch()).events > 0);
    const due = await database.query<{ id: number; subscription_id: number; attempts: number }>(
      `UPDATE notification_deliveries SET status = 'queued', queued_dt = now(), next_attempt_dt = NULL
       WHERE status = 'due' RETURNING id, subscription_id, attempts`,
    );
    if (due.length === 0) return round;
    const finished: FinishedAttempt[] = [];
    for (const { id, subscription_id: subscriptionId, attempts } of due) {
      const delivery = await claimOne(database, id, { attempts });
      if (!delivery) throw new Error('the queued delivery could not be claimed');
      const given = bySubscription.get(subscriptionId) ?? [204];
      const status = given[attempts] ?? given.at(-1) ?? 204;
      const delayMs = attempts + 1 < MOST_ATTEMPTS ? 0 : null;
      finished.push({ delivery, outcome: outcomeOf(status), requestHeaders: {}, delayMs });
    }
    await finishAttempts(database, finished, WORKER);
  }
  return undefined;
}

const readTypes = async (): Promise<ReadonlySet<string>> =>
  new Set((await database.query<{ type: string }>('SELECT DISTINCT type FROM domain_events')).map(({ type }) => type));

/** Creates a subscription for each event type, and one for applications that has two due messages. */
async function watch(
  types: readonly (readonly [EventType, Answers])[],
  ordinary: Answers,
): Promise<Map<number, Answers>> {
  const bySubscription = new Map<number, Answers>();
  for (const [type, given] of [...types, ['STATE_CHANGE_APPLICATION', ordinary] as const]) {
    const { subscription } = await subscribe(database, { type });
    bySubscription.set(subscription.id, given);
  }
  for (let event = 0; event < 2; event++) await recordEvent(database);
  return bySubscription;
}

describe('subscriptions that watch each other', () => {
  it('stop producing events after a while, regardless of the answers of their destinations', async () => {
    const type = fc.constantFrom<EventType>('SUBSCRIPTION_DISABLED', 'SUBSCRIPTION_RECOVERED', 'DELIVERY_EXHAUSTED');
    const seen = new Set<string>();
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(fc.tuple(type, answers), { minLength: 2, maxLength: 5 }),
          answers,
          async (types, ordinary) => {
            const bySubscription = await watch(types, ordinary);
            expect(await roundsUntilRest(bySubscription, 4 * MOST_ATTEMPTS)).toBeDefined();
            for (const one of await readTypes()) seen.add(one);
          },
        )
        .afterEach(() => stage.reset()),
      { numRuns: 25, interruptAfterTimeLimit: 90_000 },
    );
    // The random cases must have caused these events. Otherwise the test would prove nothing about them.
    expect([...seen]).toEqual(expect.arrayContaining(['SUBSCRIPTION_DISABLED', 'DELIVERY_EXHAUSTED']));
  }, 240_000);

  it('stop producing events when each of them fails five times before each success', async () => {
    const failing = [500, 500, 500, 500, 500, 204];
    const bySubscription = await watch(
      [
        ['SUBSCRIPTION_RECOVERED', failing],
        ['SUBSCRIPTION_RECOVERED', failing],
      ],
      failing,
    );
    expect(await roundsUntilRest(bySubscription, 4 * MOST_ATTEMPTS)).toBeDefined();
    expect(
      await database.query(`SELECT count(*)::integer AS n FROM domain_events WHERE type <> $1`, [
        'STATE_CHANGE_APPLICATION',
      ]),
    ).toEqual([{ n: 1 }]);
  }, 120_000);
});
