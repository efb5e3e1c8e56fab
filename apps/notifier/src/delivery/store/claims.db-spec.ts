import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { disableSubscription, enableSubscription } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { randomUUID } from 'node:crypto';
import { TestAttempts } from '../../../test/attempts.js';
import { BY_NOTIFIER, readDeliveries, subscribe } from '../../../test/fixtures.js';
import { addQueued, claimOne } from '../../../test/queued.js';
import { useStage } from '../../../test/running-notifier.js';
import { asSeveralProcesses } from '../../../test/several-processes.js';
import { claimDeliveries } from './claimed-deliveries.js';

const stage = useStage();
const attempts = new TestAttempts(stage);
let database: Database;

beforeAll(() => void ({ database } = stage));
afterEach(() => stage.reset());

describe('the claim of a delivery', () => {
  it('succeeds for only one of several jobs', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    const processes = asSeveralProcesses(database);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimOne(processes, id)));
    expect(claims.filter((one) => one !== null)).toHaveLength(1);
    expect(await readDeliveries(database)).toMatchObject([{ status: 'sending', attempts: 1 }]);
  });

  it.each(['delivered', 'held', 'exhausted', 'cancelled'])('fails for a delivery that is %s', async (status) => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query('UPDATE notification_deliveries SET status = $1', [status]);
    expect(await attempts.claim(id)).toBeNull();
    expect(await readDeliveries(database)).toMatchObject([{ status, attempts: 0 }]);
  });

  it('fails for a delivery with a later attempt than its job', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query('UPDATE notification_deliveries SET attempts = 1');
    expect(await attempts.claim(id, 0)).toBeNull();
    expect(await attempts.claim(id, 1)).toMatchObject({ attempts: 2 });
  });

  it('fails for a due delivery that was not queued for this job', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.query(
      `UPDATE notification_deliveries SET status = 'due', next_attempt_dt = now() - interval '1 minute'`,
    );
    expect(await attempts.claim(id)).toBeNull();
  });

  it('fails for a delivery that was held and released after its job was queued', async () => {
    const { subscription } = await subscribe(database);
    const id = await addQueued(database, subscription.id);
    await database.transaction((transaction) =>
      disableSubscription(transaction, subscription.id, 'requested', BY_NOTIFIER),
    );
    await database.transaction((transaction) => enableSubscription(transaction, subscription.id));
    await database.query(`UPDATE notification_deliveries SET status = 'queued', queued_dt = now()`);
    expect(await attempts.claim(id)).toBeNull();
    expect(await claimOne(database, id, { requeues: 1 })).not.toBeNull();
  });

  it('succeeds once for each delivery when two batches run in opposite orders, and fails for locked deliveries', async () => {
    const { subscription } = await subscribe(database);
    const ids = await Promise.all(Array.from({ length: 30 }, () => addQueued(database, subscription.id)));
    const rows = await readDeliveries(database);
    const jobs = ids.map((deliveryId) => ({
      job: {
        deliveryId,
        occurred: rows.find(({ id }) => id === deliveryId)?.occurred_dt.getTime() ?? 0,
        attempts: 0,
        requeues: 0,
      },
    }));
    const [locked] = ids;
    const processes = asSeveralProcesses(database);
    await database.transaction(async (transaction) => {
      await transaction.query('SELECT FROM notification_deliveries WHERE id = $1 FOR UPDATE', [locked]);
      const claims = await Promise.all(
        [jobs, [...jobs].reverse()].map((some) =>
          claimDeliveries(
            processes,
            some.map((one) => ({ ...one, token: randomUUID() })),
            1,
          ),
        ),
      );
      const claimed = claims.flat().flatMap((one) => (one === null || one === 'batch' ? [] : one.id));
      expect(claimed).toHaveLength(29);
      expect(new Set([...claimed, locked])).toEqual(new Set(ids));
    });
    expect(await attempts.claim(locked ?? 0)).not.toBeNull();
  });
});
