import { ADVISORY_LOCKS } from '@ats/postgres';
import { describe, expect, test } from '@jest/globals';
import { until } from '../limits/locked-boards.js';
import { type Answer, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const LONG_AGO = '2020-01-01T00:00:00.000Z';

const patch = ({ url }: Item, body: object): Promise<Answer> => api.request('PATCH', `/api/v1${below(url)}`, { body });
const subscribe = async (topic: Item, body: object): Promise<Item> =>
  expectStatus(201, await api.post(`${below(topic.url)}/subscriptions`, body)).item;

/**
 * Runs `change`, and returns the time at which the endpoint was last changed. Before `change`, this time is set far
 * into the past.
 */
async function changedBy({ id, url }: Item, change: () => Promise<unknown>): Promise<unknown> {
  await api.database.query('UPDATE notification_endpoints SET updated_dt = $2 WHERE id = $1', [id, LONG_AGO]);
  await change();
  return (await api.get(below(url))).item['updated_dt'];
}

test('updated_dt of an endpoint changes when a subscription joins, leaves or is deleted, also with its topic', async () => {
  const [shared, other] = [await make.endpoint(), await make.endpoint()];
  const topic = await make.topic();
  const item = await make.subscription({ topicId: topic.id });
  for (const change of [
    () => patch(item, { endpoint_id: shared.id }),
    () => patch(item, { endpoint_id: other.id }),
    () => patch(item, { endpoint_id: shared.id }),
    () => patch(item, { endpoint_id: null }),
    () => subscribe(topic, { endpoint_id: shared.id }),
    async () => api.delete(below((await subscribe(topic, { endpoint_id: shared.id })).url)),
    () => api.delete(below(topic.url)),
  ])
    expect([change.toString(), await changedBy(shared, change)]).not.toContain(LONG_AGO);
  expect((await api.get(below(shared.url))).item).toMatchObject({ subscription_count: 0 });
  expect(await changedBy(other, () => patch(shared, { name: 'Other' }))).toBe(LONG_AGO);
});

describe('null as destination_url of a subscription', () => {
  test('is refused with the code missing, both with an endpoint of its own and with a shared one', async () => {
    const shared = await make.endpoint();
    for (const item of [await make.subscription(), await subscribe(await make.topic(), { endpoint_id: shared.id })]) {
      const whole = { ...item, destination_url: null };
      for (const answer of [
        await patch(item, { destination_url: null }),
        await patch(item, { destination_url: null, endpoint_id: null }),
        await api.put(below(item.url), whole),
        await api.put(below(item.url), { destination_url: null }),
      ])
        expect([answer.status, answer.violations]).toEqual([422, ['missing /destination_url']]);
      expect(expectStatus(200, await api.get(below(item.url))).item).toEqual(item);
      expectStatus(200, await patch(item, { destination_url: null, endpoint_id: shared.id }));
    }
  });
});

test.each([{}, { 'if-match': '*' }] as Record<string, string>[])(
  'joining the endpoint of another subscription locks both subscriptions in the order of their ids: %j',
  async (headers) => {
    const [older, newer] = [await make.subscription(), await make.subscription()];
    const body = { endpoint_id: (older['endpoint'] as Item).id, end_dt: '2099-01-01T00:00:00.000Z' };
    const lock = 'SELECT FROM notification_subscriptions WHERE id = $1 FOR NO KEY UPDATE';
    let answer: Promise<Answer> | undefined;
    // Locks both subscriptions in the order of their ids, as a notifier does when it stores results.
    await api.database.transaction(async (transaction) => {
      await transaction.query(lock, [older.id]);
      answer = api.request('PATCH', `/api/v1${below(newer.url)}`, { body, headers });
      await until(async () => {
        const [row] = await api.database.query<{ waiting: number }>(
          `SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE datname = current_database()
             AND wait_event_type = 'Lock' AND query LIKE '%notification_subscriptions%'`,
        );
        return row?.waiting === 1;
      });
      await transaction.query(`${lock} NOWAIT`, [newer.id]);
    });
    expectStatus(200, (await answer) as Answer);
  },
);

test('a refused PATCH takes no lock that blocks matching', async () => {
  const items = [await make.subscription(), await make.endpoint()];
  await api.database.transaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.topicIndex]);
    for (const item of items)
      expect((await patch(item, { destination_url: 'https://127.0.0.1/' })).violations).toEqual([
        'invalid /destination_url',
      ]);
  });
});
