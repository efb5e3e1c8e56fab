import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { disableSubscription, enableSubscription } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { TestAttempts } from '../../../test/attempts.js';
import { addRecruiters, BY_NOTIFIER, readDeliveries, WORKER } from '../../../test/fixtures.js';
import { useStage } from '../../../test/running-notifier.js';
import { finishAttempts } from './finish-attempts.js';

const RECRUITER = 12;

const stage = useStage();
const attempts = new TestAttempts(stage);
let database: Database;

beforeAll(async () => {
  ({ database } = stage);
  await addRecruiters(database, RECRUITER, RECRUITER + 1);
});
afterEach(() => stage.reset());

interface RaisedEvent {
  readonly type: string;
  readonly subject_id: number;
  readonly recruiter_id: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

const readRaised = (): Promise<RaisedEvent[]> => database.query('SELECT * FROM domain_events ORDER BY id');
const readTypes = async (): Promise<readonly string[]> => (await readRaised()).map(({ type }) => type);

/** Stores failed attempts of one more delivery of the subscription of `attempts`. */
async function fail(times: number): Promise<void> {
  for (let failure = 0; failure < times; failure++) await attempts.finish(await attempts.another(500));
}

const disable = (): Promise<void> =>
  database.transaction((transaction) =>
    disableSubscription(transaction, attempts.subscriptionId, 'requested', BY_NOTIFIER),
  );
const enable = (): Promise<void> =>
  database.transaction((transaction) => enableSubscription(transaction, attempts.subscriptionId));

describe('DELIVERY_EXHAUSTED', () => {
  it('is raised when the last attempt fails, and for no earlier failure', async () => {
    const finished = await attempts.sending(500);
    await fail(3);
    expect(await readTypes()).toEqual([]);
    expect(await attempts.finish(finished, null)).toBe('exhausted');
    const [{ id, occurred_dt } = { id: 0, occurred_dt: new Date() }] = await readDeliveries(database);
    expect(await readRaised()).toMatchObject([
      {
        type: 'DELIVERY_EXHAUSTED',
        subject_type: 'notification_delivery',
        subject_id: id,
        recruiter_id: RECRUITER,
        facts: {
          'notification_delivery.id': id,
          'notification_delivery.status': 'exhausted',
          'notification_delivery.occurred_dt': occurred_dt.toISOString(),
          'notification_delivery.topic_id': attempts.topicId,
          'notification_delivery.subscription.id': attempts.subscriptionId,
        },
      },
    ]);
  });

  it('is raised once for each delivery of a batch, even when its result is stored several times', async () => {
    const finished = [await attempts.sending(500), await attempts.another(404), await attempts.another(204)];
    const batch = finished.map((attempt) => ({ ...attempt, delayMs: null }));
    await Promise.all([batch, [...batch].reverse(), batch].map((one) => finishAttempts(database, one, WORKER)));
    const ids = finished.slice(0, 2).map(({ delivery }) => delivery.id);
    expect((await readRaised()).map(({ type, subject_id }) => [type, subject_id])).toEqual(
      ids.map((id) => ['DELIVERY_EXHAUSTED', id]),
    );
  });

  it.each(['notification_subscription', 'notification_delivery'])(
    'is not raised for a message about a %s',
    async (subject) => {
      const finished = await attempts.sending(500);
      await database.query('UPDATE notification_deliveries SET subject_type = $1', [subject]);
      expect(await attempts.finish(finished, null)).toBe('exhausted');
      expect(await readTypes()).toEqual([]);
    },
  );

  it('is not raised for a test message', async () => {
    const finished = await attempts.sending(500);
    await database.query(`UPDATE notification_deliveries SET event_id = NULL, subject_type = NULL, reason = 'ping'`);
    const ping = { ...finished, delivery: { ...finished.delivery, event_id: null, reason: 'ping' as const } };
    expect(await attempts.finish(ping, null)).toBe('exhausted');
    expect(await readTypes()).toEqual([]);
  });
});

describe('SUBSCRIPTION_DISABLED', () => {
  it('is raised after a 410, with the reason', async () => {
    await attempts.finish(await attempts.sending(410));
    expect(await readRaised()).toMatchObject([
      {
        type: 'SUBSCRIPTION_DISABLED',
        subject_type: 'notification_subscription',
        subject_id: attempts.subscriptionId,
        recruiter_id: RECRUITER,
        facts: {
          'notification_subscription.disabled_reason': 'gone',
          'notification_subscription.status': 'disabled',
          'notification_subscription.topic.id': attempts.topicId,
        },
      },
    ]);
  });

  it('is raised after ten failures in five days', async () => {
    const finished = await attempts.sending(500);
    await database.query(
      `UPDATE notification_subscriptions SET consecutive_failures = 9, first_failure_dt = now() - interval '5 days'`,
    );
    await attempts.finish(finished);
    expect(await readRaised()).toMatchObject([
      { type: 'SUBSCRIPTION_DISABLED', facts: { 'notification_subscription.disabled_reason': 'failing' } },
    ]);
  });

  it('is raised once when two notifiers store a 410 at the same time', async () => {
    const finished = [await attempts.sending(410), await attempts.another(410)];
    await Promise.all(finished.map((one) => finishAttempts(database, [one], WORKER)));
    expect(await readTypes()).toEqual(['SUBSCRIPTION_DISABLED']);
  });

  it('names the recruiter of the credential that owns the subscription', async () => {
    const finished = await attempts.sending(410);
    await database.query(
      `INSERT INTO credentials (id, name, key_id, token_digest, scopes, user_id, recruiter_id)
       VALUES (5, 'c', 'k', '\\x00', '{}', ${RECRUITER + 1}, ${RECRUITER + 1})`,
    );
    await database.query('UPDATE notification_subscriptions SET owner_id = 5');
    await attempts.finish(finished);
    expect(await readRaised()).toMatchObject([{ recruiter_id: RECRUITER + 1 }]);
  });
});

describe('SUBSCRIPTION_RECOVERED', () => {
  it('is raised with the first success after five failures in a row', async () => {
    await attempts.finish(await attempts.sending(204));
    await fail(5);
    expect(await readTypes()).toEqual([]);
    await attempts.finish(await attempts.another(204));
    await attempts.finish(await attempts.another(204));
    expect(await readRaised()).toMatchObject([
      { type: 'SUBSCRIPTION_RECOVERED', subject_id: attempts.subscriptionId, recruiter_id: RECRUITER },
    ]);
  });

  it('is not raised after fewer failures', async () => {
    await attempts.finish(await attempts.sending(204));
    await fail(4);
    await attempts.finish(await attempts.another(204));
    expect(await readTypes()).toEqual([]);
  });

  it('is raised again after the next five failures, also within one batch', async () => {
    const finished = [await attempts.sending(500)];
    for (const status of [500, 500, 500, 500, 204, 500, 500, 500, 500, 500])
      finished.push(await attempts.another(status));
    await finishAttempts(database, finished.slice(0, 5), WORKER);
    await finishAttempts(database, finished.slice(5), WORKER);
    expect(await readTypes()).toEqual(['SUBSCRIPTION_RECOVERED']);
    await attempts.finish(await attempts.another(204));
    expect(await readTypes()).toEqual(['SUBSCRIPTION_RECOVERED', 'SUBSCRIPTION_RECOVERED']);
  });

  it('is raised with the first success after the subscription was enabled again', async () => {
    const late = await attempts.sending(204);
    await disable();
    await attempts.finish(late);
    expect(await readTypes()).toEqual(['SUBSCRIPTION_DISABLED']);
    await enable();
    await attempts.finish(await attempts.another(204));
    await attempts.finish(await attempts.another(204));
    expect(await readTypes()).toEqual(['SUBSCRIPTION_DISABLED', 'SUBSCRIPTION_RECOVERED']);
  });

  it('is raised after a release without these events had disabled the subscription', async () => {
    await attempts.sending(204);
    await database.query(`UPDATE notification_subscriptions SET disabled_dt = now(), disabled_reason = 'gone'`);
    await enable();
    await attempts.finish(await attempts.another(204));
    expect(await readTypes()).toEqual(['SUBSCRIPTION_RECOVERED']);
  });

  it('is raised once when two notifiers store a success at the same time', async () => {
    await attempts.finish(await attempts.sending(500));
    await fail(4);
    const finished = [await attempts.another(204), await attempts.another(204)];
    await Promise.all(finished.map((one) => finishAttempts(database, [one], WORKER)));
    expect(await readTypes()).toEqual(['SUBSCRIPTION_RECOVERED']);
  });
});

describe('an event that cannot be stored', () => {
  it('rolls back the result of the attempt; storing the result again adds one event', async () => {
    const finished = { ...(await attempts.sending(410)), delayMs: null };
    await database.query('ALTER TABLE domain_events ADD CONSTRAINT ck_no_events CHECK (false) NOT VALID');
    await expect(finishAttempts(database, [finished], WORKER)).rejects.toThrow('ck_no_events');
    await database.query('ALTER TABLE domain_events DROP CONSTRAINT ck_no_events');
    expect(await readDeliveries(database)).toMatchObject([{ status: 'sending' }]);
    expect(await database.query('SELECT disabled_dt FROM notification_subscriptions')).toEqual([{ disabled_dt: null }]);
    await finishAttempts(database, [finished], WORKER);
    expect(await readTypes()).toEqual(['SUBSCRIPTION_DISABLED']);
  });
});
