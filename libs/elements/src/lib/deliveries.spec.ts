import { expect, test } from '@jest/globals';
import { createClient } from '@ats/client';
import { type DeliveryFilter, readDeliveries } from './deliveries.js';

const BASE = 'http://ats.test';
const NO_FILTER: DeliveryFilter = { status: '', topic: 0, eventType: '', since: '', until: '' };
const SUBSCRIPTIONS = [
  { id: 11, topic: { id: 1, name: 'Applications', type: 'APPLICATION_CREATE' } },
  { id: 12, topic: { id: 2, name: 'Vacancies', type: 'VACANCY_UPDATE' } },
];
/** Maps the id of each subscription to the ids of its deliveries. Subscription 11 has all even ids. */
const IDS: Readonly<Record<string, readonly number[]>> = {
  11: Array.from({ length: 1_200 }, (_, index) => 2_400 - 2 * index),
  12: [2_399, 1],
};

const json = (body: unknown, headers = {}): Response =>
  new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json', ...headers } });

/** A service that lists the deliveries of `IDS`, page by page. */
function fakeService() {
  const requests: URL[] = [];
  const client = createClient({
    baseUrl: BASE,
    token: 'token',
    fetch: (request) => {
      const url = new URL(request.url);
      requests.push(url);
      const [, subscription] = /subscriptions\/(\d+)\/deliveries/.exec(url.pathname) ?? [];
      if (subscription === undefined) return Promise.resolve(json({ id: 5, subscriptions: SUBSCRIPTIONS }));
      const [page, perPage] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page'))];
      const ids = IDS[subscription] ?? [];
      url.searchParams.set('page', String(page + 1));
      const headers = page * perPage < ids.length ? { Link: `<${url.href}>; rel="next"` } : {};
      return Promise.resolve(
        json(
          ids.slice((page - 1) * perPage, page * perPage).map((id) => ({ id })),
          headers,
        ),
      );
    },
  });
  const lists = (): readonly URL[] => requests.filter(({ pathname }) => pathname.endsWith('/deliveries'));
  return { client, lists };
}

const read = async (count: number, filter: Partial<DeliveryFilter> = {}) => {
  const { client, lists } = fakeService();
  const { signal } = new AbortController();
  return { ...(await readDeliveries(client, 5, { filter: { ...NO_FILTER, ...filter }, count, signal })), lists };
};

test('the newest deliveries of all subscriptions have no gap', async () => {
  const { rows, hasOlder } = await read(100);
  expect(rows.slice(0, 3).map(({ id }) => id)).toEqual([2_400, 2_399, 2_398]);
  // Delivery 1 is left out, because the deliveries between it and 2202 were not read.
  expect(rows.at(-1)?.id).toBe(2_202);
  expect(rows).toHaveLength(101);
  expect(hasOlder).toBe(true);
});

test('a larger number of deliveries is read from several pages, down to the oldest one', async () => {
  const { rows, hasOlder } = await read(1_300);
  expect(rows).toHaveLength(1_202);
  expect(rows.at(-1)).toMatchObject({ id: 1, topicId: 2, subscriptionId: 12, topicName: 'Vacancies' });
  expect(hasOlder).toBe(false);
});

test('conditions on topic and event type choose subscriptions, and the result still lists all topics', async () => {
  for (const filter of [{ topic: 2 }, { eventType: 'VACANCY_UPDATE' }]) {
    const { rows, topics } = await read(100, filter);
    expect(rows.map(({ id }) => id)).toEqual([2_399, 1]);
    expect(topics.map(({ name }) => name)).toEqual(['Applications', 'Vacancies']);
  }
});

test('the state and the times are conditions of the request', async () => {
  const { lists } = await read(100, {
    topic: 2,
    status: 'exhausted',
    since: '2025-01-31T08:00:00.000Z',
    until: '2025-02-01T00:00:00.000Z',
  });
  const [query] = lists().map(({ searchParams }) => searchParams);
  expect(query?.get('status')).toBe('exhausted');
  expect(query?.getAll('search')).toEqual([
    '/occurred_dt>=2025-01-31T08:00:00.000Z',
    '/occurred_dt<=2025-02-01T00:00:00.000Z',
  ]);
});
