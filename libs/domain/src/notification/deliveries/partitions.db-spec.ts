import { beforeAll, describe, expect, it } from '@jest/globals';
import { moveClockToNoon, useTestDatabase } from '../../../test/test-database.js';
import { runStatement } from '@ats/postgres';
import { dayOf } from '@ats/postgres';
import { dropOldDeliveryDays, ensureDeliveryDays } from './partitions.js';

const own = useTestDatabase({ hasMovableClock: true, poolSize: 5 });

const DAY_MS = 86_400_000;
/** Noon of the current day by the database clock. */
let noon: Date;
const inDays = (days: number): Date => new Date(noon.getTime() + days * DAY_MS);
let lastEvent = 0;

beforeAll(async () => {
  await moveClockToNoon(own.database);
  noon = (await own.database.query<{ now: Date }>('SELECT now() AS now'))[0]?.now ?? new Date(NaN);
});

async function addDelivery(occurred: Date, status: string): Promise<number> {
  const [row] = await own.database.query<{ id: number }>(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision, sequence, body, status,
       next_attempt_dt, queued_dt, lease_token, lease_until_dt)
     VALUES ($1, gen_random_uuid(), $2, 1, 1, 1, $2, '{}', $3, now(), now(), gen_random_uuid(), now()) RETURNING id`,
    [occurred, ++lastEvent, status],
  );
  if (!row) throw new Error('INSERT INTO notification_deliveries returned no row');
  await own.database.query(
    `INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, worker) VALUES ($1, $2, 1, 'auto', 'done', '', '')`,
    [occurred, row.id],
  );
  return row.id;
}
const count = async (table: string): Promise<number> =>
  Number((await own.database.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`))[0]?.n);
const partitions = (): Promise<string[]> =>
  own.database
    .query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'notification_deliveries'::regclass ORDER BY 1`,
    )
    .then((rows) => rows.map(({ name }) => name));
const nameOf = (moment: Date): string => `notification_deliveries_${dayOf(moment).replaceAll('-', '')}`;
/** Drops the days of the delivery log that end before a time: `days` days from now. */
const drop = (days: number): ReturnType<typeof dropOldDeliveryDays> => dropOldDeliveryDays(own.database, -days);

describe('the day partitions of the delivery log', () => {
  it('are created once by concurrent calls and hold the deliveries of their day', async () => {
    await expect(addDelivery(inDays(5), 'delivered')).rejects.toThrow('no partition');
    await Promise.all(
      [1, 2, 3].map(() =>
        ensureDeliveryDays(own.database, [dayOf(inDays(-3)), dayOf(inDays(0)), dayOf(inDays(5)), dayOf(inDays(6))]),
      ),
    );
    expect(await partitions()).toEqual([nameOf(inDays(5)), nameOf(inDays(6)), 'notification_deliveries_first']);
    const id = await addDelivery(inDays(5), 'delivered');
    expect(await own.database.query('SELECT id FROM ONLY ' + nameOf(inDays(5)))).toEqual([{ id }]);
    const edges = [
      `${dayOf(inDays(5))}T00:00:00.000Z`,
      `${dayOf(inDays(5))}T23:59:59.999Z`,
      `${dayOf(inDays(6))}T00:00:00.000Z`,
    ];
    for (const edge of edges) await addDelivery(new Date(edge), 'delivered');
    expect(await count(nameOf(inDays(5)))).toBe(3);
  });

  it.each(['due', 'queued', 'sending', 'held'])('are kept while one of their deliveries is %s', async (status) => {
    await ensureDeliveryDays(own.database, [dayOf(inDays(10))]);
    await addDelivery(inDays(10), 'exhausted');
    const id = await addDelivery(inDays(10), status);
    expect((await drop(12)).dropped).not.toContain(nameOf(inDays(10)));
    await own.database.query(`UPDATE notification_deliveries SET status = 'cancelled' WHERE id = $1`, [id]);
    expect(await drop(12)).toMatchObject({
      dropped: expect.arrayContaining([nameOf(inDays(10)), nameOf(inDays(10)).replace('deliveries', 'attempts')]),
    });
    expect(await partitions()).not.toContain(nameOf(inDays(10)));
  });

  it('are dropped only when they are old enough, together with all earlier days', async () => {
    await ensureDeliveryDays(own.database, [inDays(-100), inDays(20), inDays(21)].map(dayOf));
    await addDelivery(inDays(-100), 'delivered');
    await addDelivery(inDays(20), 'delivered');
    await addDelivery(inDays(21), 'delivered');
    await drop(21);
    expect(await partitions()).toEqual([nameOf(inDays(21))]);
    expect(await count('notification_attempts')).toBe(await count('notification_deliveries'));
  });

  it('are not dropped while another transaction writes to them', async () => {
    await ensureDeliveryDays(own.database, [dayOf(inDays(30))]);
    const id = await addDelivery(inDays(30), 'exhausted');
    await own.database.transaction(async (transaction) => {
      await runStatement(transaction, `UPDATE notification_deliveries SET status = 'due' WHERE id = $1`, [id]);
      expect((await drop(32)).busy).toBeGreaterThan(0);
    });
    expect(await drop(32)).toMatchObject({ busy: 0 });
    expect(await partitions()).toContain(nameOf(inDays(30)));
  });
});
