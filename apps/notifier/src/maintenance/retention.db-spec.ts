// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findQuery, keepQuery } from '@ats/domain';
import { moveClock, moveClockToNoon } from '@ats/domain/testing';
import { eventually } from '../../test/eventually.js';
import { readDeliveries, recordEvent, subscribe } from '../../test/fixtures.js';
import { useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';
import { Retention } from './retention.js';

const DAY_MS = 86_400_000;
const stage = useStage({ hasMovableClock: true });
const receiver = useReceiver();
let retention: Retention;

beforeAll(async () => {
  await moveClockToNoon(stage.database);
  const logger = { info: () => undefined } as never;
  retention = new Retention({ database: stage.database, deliveryDays: 30, eventDays: 40, auditDays: 400, logger });
});

const count = async (table: string): Promise<number> =>
  Number((await stage.database.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`))[0]?.n);
const hasDay = async (daysAhead: number): Promise<boolean> =>
  (await count(
    `to_regclass('notification_deliveries_' || to_char(now() AT TIME ZONE 'UTC' + interval '${daysAhead} days',
       'YYYYMMDD')) AS day WHERE day IS NOT NULL`,
  )) === 1;
async function deliver(subjectId: number, status: string): Promise<void> {
  await recordEvent(stage.database, { subjectId });
  await stage.wake();
  await eventually(async () =>
    expect((await readDeliveries(stage.database)).find((one) => one.sequence === subjectId)?.status).toBe(status),
  );
}

describe('the retention of rows', () => {
  it('creates partitions ahead and after a long outage, and deletes old finished deliveries', async () => {
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    await deliver(1, 'delivered');
    await eventually(async () => expect(await hasDay(3)).toBe(true));
    expect(await hasDay(4)).toBe(false);
    // Moves the clock beyond the last partition, because partitions exist only for some days in advance.
    await moveClock(stage.database, 10 * DAY_MS);
    await deliver(2, 'delivered');
    await stage.stopNotifiers();
    await stage.database.query(
      'UPDATE notification_subscriptions SET disabled_dt = now(), disabled_reason = $2 WHERE id = $1',
      [subscription.id, 'requested'],
    );
    await stage.start();
    await deliver(3, 'held');
    await stage.stopNotifiers();

    await moveClock(stage.database, 25 * DAY_MS);
    await retention.maintain();
    expect((await readDeliveries(stage.database)).map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect(await count('notification_attempts')).toBe(1);
    expect(await count('domain_events')).toBe(3);

    await moveClock(stage.database, 20 * DAY_MS);
    await retention.maintain();
    // The second and the third delivery are in the same partition. It is kept, because the third delivery is
    // unfinished.
    expect((await readDeliveries(stage.database)).map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect(await count('domain_events')).toBe(0);

    await stage.database.query('UPDATE notification_deliveries SET status = $1', ['exhausted']);
    await retention.maintain();
    expect(await readDeliveries(stage.database)).toEqual([]);
    expect(await count('notification_attempts')).toBe(0);
  });

  it('keeps new and quarantined events of any age', async () => {
    await recordEvent(stage.database);
    const id = await recordEvent(stage.database);
    await stage.database.query(
      `UPDATE domain_events SET status = CASE WHEN id = $1 THEN 'quarantined' ELSE 'done' END`,
      [id],
    );
    await moveClock(stage.database, 41 * DAY_MS);
    await retention.maintain();
    expect(await stage.database.query('SELECT id FROM domain_events')).toEqual([{ id }]);
  });

  it('deletes changes of the feed after the storage period of events', async () => {
    const publish = (itemId: number) =>
      stage.database.query(
        `INSERT INTO changes (resource, item_id, item_uuid, change, dt, published_dt)
         VALUES ('documents', $1, gen_random_uuid(), 'deleted', now(), now())`,
        [itemId],
      );
    const kept = (): Promise<readonly object[]> =>
      stage.database.query(`SELECT item_id FROM changes WHERE resource = 'documents' ORDER BY id`);
    await publish(1);
    await moveClock(stage.database, 39 * DAY_MS);
    await publish(2);
    await retention.maintain();
    expect(await kept()).toEqual([{ item_id: 1 }, { item_id: 2 }]);
    await moveClock(stage.database, 2 * DAY_MS);
    await retention.maintain();
    expect(await kept()).toEqual([{ item_id: 2 }]);
  });

  it('deletes stored queries 7 days after their last use', async () => {
    const query = { collection: '[]', pairs: [], credentialId: 1, condition: { kind: 'all', conditions: [] } } as const;
    const keep = (handle: string): Promise<boolean> => keepQuery(stage.database, { handle, ...query });
    const kept = async (): Promise<readonly string[]> =>
      (await stage.database.query<{ handle: string }>('SELECT handle FROM stored_queries ORDER BY 1')).map(
        ({ handle }) => handle,
      );
    await keep('unused');
    await keep('used');
    await moveClock(stage.database, 2 * DAY_MS);
    await findQuery(stage.database, { handle: 'used', collection: '[]' });
    await moveClock(stage.database, 4.9 * DAY_MS);
    await retention.maintain();
    expect(await kept()).toEqual(['unused', 'used']);
    await moveClock(stage.database, 0.2 * DAY_MS);
    await retention.maintain();
    expect(await kept()).toEqual(['used']);
  });

  it('deletes the counts of endpoints after the storage period of their bucket length', async () => {
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    await stage.database.query(
      `INSERT INTO notification_endpoint_stats (endpoint_id, seconds, from_dt, cause, attempts, latencies)
       SELECT endpoint_id, seconds, now(), '', 1, '{}'
       FROM notification_subscriptions, unnest('{300, 3600, 86400}'::integer[]) AS seconds WHERE id = $1`,
      [subscription.id],
    );
    const kept = async (): Promise<readonly number[]> =>
      (
        await stage.database.query<{ seconds: number }>(
          `SELECT seconds FROM notification_endpoint_stats s JOIN notification_subscriptions n USING (endpoint_id)
           WHERE n.id = $1 ORDER BY seconds`,
          [subscription.id],
        )
      ).map(({ seconds }) => seconds);
    for (const [days, left] of [
      [1, [300, 3_600, 86_400]],
      [2, [3_600, 86_400]],
      [34, [86_400]],
      [370, []],
    ] as const) {
      await moveClock(stage.database, days * DAY_MS);
      await retention.maintain();
      expect([days, await kept()]).toEqual([days, left]);
    }
  });
});
