// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let subscription: Item;

beforeAll(async () => {
  subscription = await make.subscription();
});

const pathOf = ({ url }: Item): string => below(url);
const deliveriesOf = (of: Item): string => `${pathOf(of)}/deliveries`;
const reread = async (item: Item): Promise<Item> => expectStatus(200, await api.get(pathOf(item))).item;
const ids = ({ items }: Answer): readonly number[] => items.map(({ id }) => id);

/** Inserts an attempt in the same way as the notifier. */
async function addAttempt(
  delivery: Item,
  attempt: number,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const given = Object.entries({
    reason: 'auto',
    state: 'done',
    url: 'https://receiver.example.com/',
    started_dt: '2026-11-20T10:00:00.000Z',
    duration_ms: 12,
    worker: 'spec',
    ...columns,
  });
  await api.database.query(
    `INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, ${given.map(([name]) => name).join(', ')})
     SELECT occurred_dt, id, $2, ${given.map((_, index) => `$${index + 3}`).join(', ')} FROM notification_deliveries WHERE id = $1`,
    [delivery.id, attempt, ...given.map(([, value]) => value)],
  );
}

describe('a delivery', () => {
  test('has the documented fields, with its attempts', async () => {
    const delivery = await make.delivery({
      subscription,
      status: 'exhausted',
      request_id: 'request-1',
      finished_dt: '2026-11-20T11:00:00.000Z',
      occurred_dt: '2026-11-20T09:00:00.000Z',
    });
    await addAttempt(delivery, 1, { error: 'timeout', duration_ms: 10_000 });
    await addAttempt(delivery, 2, {
      reason: 'manual',
      status_code: 500,
      error: 'status',
      response_excerpt: 'sorry',
      is_truncated: true,
      started_dt: '2026-11-20T11:00:00.000Z',
    });
    const attempt = {
      url: 'https://receiver.example.com/',
      at: '2026-11-20T10:00:00.000Z',
      response_excerpt: null,
      is_truncated: false,
    };
    expect(await reread(delivery)).toEqual({
      id: delivery.id,
      uuid: delivery['message_id'],
      url: `${BASE_URL}/api/v1${deliveriesOf(subscription)}/${delivery.id}`,
      created_dt: expect.any(String),
      updated_dt: expect.any(String),
      event_id: 1,
      occurred_dt: '2026-11-20T09:00:00.000Z',
      message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sequence: 1,
      status: 'exhausted',
      next_attempt_dt: null,
      finished_dt: '2026-11-20T11:00:00.000Z',
      request_id: 'request-1',
      body: '{"a":"é /"}',
      attempts: [
        { ...attempt, attempt: 1, reason: 'auto', duration_ms: 10_000, status_code: null, error: 'timeout' },
        {
          ...attempt,
          attempt: 2,
          reason: 'manual',
          duration_ms: 12,
          status_code: 500,
          error: 'status',
          at: '2026-11-20T11:00:00.000Z',
          response_excerpt: 'sorry',
          is_truncated: true,
        },
      ],
    });
  });

  test('shows its message and the answers of the destination in the item only, not in the collection', async () => {
    const delivery = await make.delivery({ subscription: await make.subscription() });
    await addAttempt(delivery, 1, { response_excerpt: 'x'.repeat(16_384) });
    const list = expectStatus(200, await api.get(pathOf(delivery).replace(/\/\d+$/, '')));
    const { body, attempts, ...shown } = await reread(delivery);
    expect([body, (attempts as readonly object[]).length]).toEqual(['{"a":"é /"}', 1]);
    expect(list.items).toEqual([
      {
        ...shown,
        attempts: [
          {
            attempt: 1,
            at: expect.any(String),
            reason: 'auto',
            url: expect.any(String),
            duration_ms: 12,
            status_code: null,
            error: null,
          },
        ],
      },
    ]);
  });

  test('has the status due while it is in a queue', async () => {
    const of = await make.subscription();
    const queued = await make.delivery({
      subscription: of,
      status: 'queued',
      queued_dt: '2026-11-20T10:00:00Z',
      next_attempt_dt: '2026-11-20T10:00:00Z',
    });
    expect(queued).toMatchObject({ status: 'due' });
    expect(ids(await api.get(`${deliveriesOf(of)}?status=due`))).toEqual([queued.id]);
  });

  test('is found only under the URL of its own subscription and topic', async () => {
    const delivery = await make.delivery({ subscription });
    const other = await make.subscription();
    const wrong = [
      `${deliveriesOf(other)}/${delivery.id}`,
      deliveriesOf(subscription).replace(/topics\/\d+/, `topics/${(other['topic'] as Item).id}`),
      `${deliveriesOf(subscription)}/999999999`,
    ];
    for (const path of wrong) expect([path, (await api.get(path)).status]).toEqual([path, 404]);
    expect((await api.post(`${wrong[0]}/redeliver`)).status).toBe(404);
    expectStatus(204, await api.delete(pathOf(subscription)));
    expect((await api.get(pathOf(delivery))).status).toBe(404);
    subscription = await make.subscription();
  });
});

describe('the delivery log of a subscription', () => {
  let of: Item;
  let log: readonly Item[];
  beforeAll(async () => {
    of = await make.subscription();
    const made: Item[] = [];
    for (const [index, status] of ['delivered', 'exhausted', 'held', 'delivered'].entries()) {
      made.push(await make.delivery({ subscription: of, status, occurred_dt: `2026-11-1${index}T12:00:00.000Z` }));
    }
    log = made;
    await addAttempt(made[1] as Item, 1, { error: 'timeout' });
  });
  const list = async (query: string): Promise<readonly number[]> =>
    ids(expectStatus(200, await api.get(`${deliveriesOf(of)}?${query}`)));
  const at = (...indexes: readonly number[]): readonly number[] => indexes.map((index) => log[index]?.id ?? 0);

  test('is newest first by default, with test messages last, in pages', async () => {
    expect(await list('')).toEqual(at(3, 2, 1, 0));
    expect(await list('sort=sequence!asc')).toEqual(at(0, 1, 2, 3));
    const first = expectStatus(200, await api.get(`${deliveriesOf(of)}?per_page=3`));
    expect([ids(first), first.headers['x-total-count']]).toEqual([at(3, 2, 1), '4']);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    expect(ids(await api.get(below(next)))).toEqual(at(0));
    const pinged = await make.subscription();
    const [message, ping] = [await make.delivery({ subscription: pinged }), await make.ping(pinged)];
    expect(ids(await api.get(deliveriesOf(pinged)))).toEqual([message.id, ping.id]);
  });

  test.each([
    ['status=delivered', [3, 0]],
    ['status=held', [2]],
    ['status=sending', []],
    ['search=/occurred_dt>=2026-11-12', [3, 2]],
    ['search=/attempts/*/error=timeout', [1]],
    ['search=attempts.status_code=', [3, 2, 1, 0]],
    ['filter=TIMEOUT', [1]],
    ['status=delivered&search=/sequence>1', [3]],
  ])('is filtered by %s', async (query, indexes) => {
    expect(await list(query)).toEqual(at(...indexes));
  });

  test.each(['status=queued', 'status=', 'status=DUE', 'status=%00', 'status=due&status=due', 'state=due'])(
    'rejects the query with %s',
    async (query) => {
      const answer = await api.get(`${deliveriesOf(of)}?${query}`);
      expect([answer.status, answer.violations]).toEqual([400, [`invalid ?${query.split('=')[0]}`]]);
    },
  );

  test('needs no further scope when it is sorted by a datapath of the topic', async () => {
    const token = await make.token('notifications:read', 'applications:read');
    expect((await api.get(deliveriesOf(of), { token })).status).toBe(200);
    expect((await api.get(`${deliveriesOf(of)}?sort=subscription.topic.name!asc`, { token })).status).toBe(200);
  });
});

describe('redelivering a delivery', () => {
  test.each(['delivered', 'exhausted', 'cancelled'])(
    'makes a delivery with the status %s due again, with the same message',
    async (status) => {
      const delivery = await make.delivery({
        subscription,
        status,
        failures: 12,
        finished_dt: '2026-11-20T11:00:00.000Z',
      });
      const { item } = expectStatus(202, await api.post(`${pathOf(delivery)}/redeliver`));
      expect(item).toEqual({
        ...delivery,
        status: 'due',
        finished_dt: null,
        next_attempt_dt: expect.any(String),
        updated_dt: item['updated_dt'],
      });
      expect(String(item['updated_dt']) > String(delivery['updated_dt'])).toBe(true);
      expect(await reread(delivery)).toEqual(item);
    },
  );

  test('does nothing while an attempt is running, and shows the status sending', async () => {
    const sending = await make.delivery({
      subscription,
      status: 'sending',
      lease_token: '00000000-0000-4000-8000-000000000000',
      lease_until_dt: '2099-01-01T00:00:00Z',
    });
    expect(expectStatus(202, await api.post(`${pathOf(sending)}/redeliver`)).item).toEqual(sending);
  });

  test('is rejected for a disabled subscription and for a test message', async () => {
    const disabled = await make.subscription();
    const delivered = await make.delivery({ subscription: disabled });
    await make.ping(disabled);
    expectStatus(200, await api.post(`${pathOf(disabled)}/disable`));
    const held = await make.delivery({ subscription: disabled, status: 'held' });
    for (const delivery of [delivered, held]) {
      const answer = await api.post(`${pathOf(delivery)}/redeliver`);
      expect([answer.status, answer.violations]).toEqual([422, ['subscription_disabled ']]);
      expect(await reread(delivery)).toEqual(delivery);
    }
    const ping = await api.post(`${pathOf(await make.ping(subscription))}/redeliver`);
    expect([ping.status, ping.violations]).toEqual([422, ['is_ping ']]);
  });

  test('runs once per Idempotency-Key', async () => {
    const delivery = await make.delivery({ subscription });
    const options = { headers: { 'idempotency-key': 'again' } };
    const first = expectStatus(202, await api.post(`${pathOf(delivery)}/redeliver`, undefined, options));
    await api.database.query(
      `UPDATE notification_deliveries SET status = 'delivered', next_attempt_dt = NULL WHERE id = $1`,
      [delivery.id],
    );
    const second = expectStatus(202, await api.post(`${pathOf(delivery)}/redeliver`, undefined, options));
    expect([second.text, second.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    expect(await reread(delivery)).toMatchObject({ status: 'delivered' });
  });
});

describe('anonymising a candidate', () => {
  test('removes the answers of destinations to messages about the candidate from the delivery log', async () => {
    const application = await make.application();
    const delivery = await make.delivery({ subscription, subject_id: application.id });
    await addAttempt(delivery, 1, { response_excerpt: 'Ada Byron is welcome', response_headers: '{"x-name":"Ada"}' });
    expectStatus(200, await api.post(`${below((application['candidate'] as Item).url)}/anonymise`));
    expect((await reread(delivery))['attempts']).toEqual([
      expect.objectContaining({ attempt: 1, response_excerpt: null }),
    ]);
    expect(
      await api.database.query('SELECT response_headers FROM notification_attempts WHERE delivery_id = $1', [
        delivery.id,
      ]),
    ).toEqual([{ response_headers: null }]);
  });
});
