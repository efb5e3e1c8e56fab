import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const URL = 'https://topics.example.com/';
const create = (topics: unknown, more: object = {}, token?: string): Promise<Answer> =>
  api.post(
    '/notification_endpoints',
    { name: 'Payroll', destination_url: URL, topics, ...more },
    { ...(token && { token }) },
  );
const countOf = async (table: string): Promise<number> =>
  Number((await api.database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
const counts = async (): Promise<readonly number[]> => [
  await countOf('notification_endpoints'),
  await countOf('notification_topics'),
  await countOf('notification_subscriptions'),
];

describe('a new endpoint with topics', () => {
  test('has a subscription to each of them, which the credential owns', async () => {
    const expression = 'application.opportunity_id == 7';
    const { item } = expectStatus(
      201,
      await create([{ type: 'STATE_CHANGE_APPLICATION', expression, name: 'Seven' }, { type: 'POSTING_CREATE' }]),
    );
    expect(item['subscription_count']).toBe(2);
    const shown = item['subscriptions'] as readonly Item[];
    expect(shown.map(({ topic }) => topic)).toEqual([
      expect.objectContaining({ type: 'STATE_CHANGE_APPLICATION', name: 'Seven' }),
      expect.objectContaining({ type: 'POSTING_CREATE', name: 'POSTING_CREATE' }),
    ]);
    const [first] = shown;
    const subscription = expectStatus(200, await api.get(below(String(first?.url)))).item;
    expect(subscription).toMatchObject({
      status: 'active',
      destination_url: URL,
      endpoint: { id: item.id },
      signing_key: item['signing_key'],
      topic: { expression },
    });
    expect(subscription['owner']).toEqual((await make.subscription())['owner']);
    expect((await api.get(below(item.url))).item).toEqual(item);
  });

  test('reports the violations of all topics together, and creates nothing', async () => {
    const before = await counts();
    const answer = await create(
      [
        { type: 'POSTING_CREATE', expression: 'posting.nothing == 1' },
        { type: 'POSTING_CREATE', expression: 'posting.id ==', colour: 'red' },
        { type: 'NOTHING' },
        { name: '' },
        { type: 'POSTING_CREATE' },
      ],
      { destination_url: 'https://169.254.169.254/' },
    );
    expect([answer.status, [...answer.violations].sort()]).toEqual([
      422,
      [
        'invalid /destination_url',
        'invalid /topics/0/expression',
        'invalid /topics/1/colour',
        'invalid /topics/1/expression',
        'invalid /topics/2/type',
        'invalid /topics/3/name',
        'missing /topics/3/type',
      ],
    ]);
    expect(await counts()).toEqual(before);
  });

  test.each([
    ['no list', { type: 'POSTING_CREATE' }, ['invalid /topics']],
    ['more than 100', Array.from({ length: 101 }, () => ({ type: 'POSTING_CREATE' })), ['invalid /topics']],
    ['no objects', [7], ['invalid /topics/0']],
  ])('refuses a body with %s', async (_, topics, violations) => {
    const answer = await create(topics);
    expect([answer.status, answer.violations]).toEqual([422, violations]);
  });

  test('creates nothing when a later topic needs a scope that the credential lacks', async () => {
    const token = await make.token('notifications:create', 'notifications:read', 'postings:read');
    const before = await counts();
    const topics = [
      { type: 'POSTING_CREATE', expression: 'posting.id > 0' },
      { type: 'STATE_CHANGE_APPLICATION', expression: 'application.user.firstname == "Ada"' },
    ];
    expectStatus(403, await create(topics, {}, token));
    expect(await counts()).toEqual(before);
    expectStatus(201, await create(topics.slice(0, 1), {}, token));
  });

  test('creates nothing when a quota is exceeded, and names the topic that exceeds it', async () => {
    const before = await counts();
    await api.database.query(
      `INSERT INTO notification_topics (type, name) SELECT 'POSTING_CREATE', 'x' FROM generate_series(1, $1)`,
      [999 - (before[1] ?? 0)],
    );
    const answer = await create([{ type: 'POSTING_CREATE' }, { type: 'POSTING_CREATE' }]);
    expect([answer.status, answer.violations]).toEqual([422, ['quota_exceeded /topics/1']]);
    await api.database.query(`DELETE FROM notification_topics WHERE name = 'x'`);
    expect(await counts()).toEqual(before);
  });
});

test('the property topics is accepted only when an endpoint is created', async () => {
  const endpoint = await make.endpoint();
  const body = { name: 'Payroll', destination_url: URL, topics: [{ type: 'POSTING_CREATE' }] };
  const answer = await api.put(below(endpoint.url), body);
  expect([answer.status, answer.violations]).toEqual([422, ['invalid /topics']]);
});
