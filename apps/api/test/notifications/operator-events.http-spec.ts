import { disableSubscription } from '@ats/domain';
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { explain, infoOf, match, steps } from './explained-events.js';

const { api, make } = useApi();

interface EventRow {
  readonly id: number;
  readonly type: string;
  readonly recruiter_id: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

const eventsAbout = ({ id }: Item): Promise<EventRow[]> =>
  api.database.query(
    `SELECT * FROM domain_events WHERE subject_type = 'notification_subscription' AND subject_id = $1 ORDER BY id`,
    [id],
  );

describe('disabling a subscription', () => {
  test('raises SUBSCRIPTION_DISABLED once, for the recruiter of the request', async () => {
    const subscription = await make.subscription();
    for (let time = 0; time < 2; time++) expectStatus(200, await api.post(`${below(subscription.url)}/disable`));
    const [event, ...more] = await eventsAbout(subscription);
    expect(event).toMatchObject({
      type: 'SUBSCRIPTION_DISABLED',
      facts: {
        'notification_subscription.disabled_reason': 'requested',
        'notification_subscription.url': subscription.url,
        'notification_subscription.topic.id': (subscription['topic'] as Item).id,
      },
    });
    expect(more).toEqual([]);
    const { item } = await api.get(`/notification_events/${event?.id ?? 0}`);
    expect(item['user']).toMatchObject({ id: event?.recruiter_id });
    expect(item['subject']).toEqual({ id: subscription.id, url: subscription.url });
  });

  test('raises no event when the transaction is rolled back', async () => {
    const { id } = await make.subscription();
    const cause = { recruiterId: null, settings: { baseUrl: BASE_URL, language: 'en' } };
    const rolledBack = api.database.transaction(async (transaction) => {
      await disableSubscription(transaction, id, 'requested', cause);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await api.database.query('SELECT FROM domain_events WHERE subject_id = $1', [id])).toEqual([]);
  });

  test('raises no further event when the subscription is enabled again', async () => {
    const subscription = await make.subscription();
    for (const action of ['disable', 'enable'])
      expectStatus(200, await api.post(`${below(subscription.url)}/${action}`));
    expect((await eventsAbout(subscription)).map(({ type }) => type)).toEqual(['SUBSCRIPTION_DISABLED']);
  });
});

describe('the snapshot of an event about a subscription', () => {
  test('lacks expressions of topics, bodies, attempts and keys', async () => {
    const topic = await make.topic({ expression: 'application.user.firstname == "Quillonia"' });
    const subscription = await make.subscription({ topicId: topic.id });
    expectStatus(200, await api.post(`${below(subscription.url)}/disable`));
    const [event] = await eventsAbout(subscription);
    expect(JSON.stringify(event)).not.toContain('Quillonia');
    expect(Object.keys(event?.facts ?? {}).filter((path) => /expression|body|attempts|key/.test(path))).toEqual([
      'notification_subscription.owner.key_id',
    ]);
  });
});

interface Listed {
  readonly path: string;
  readonly used_in: readonly string[];
}

const EXCLUDED = [
  ['SUBSCRIPTION_DISABLED', 'notification_subscription.topic.expression'],
  ['DELIVERY_EXHAUSTED', 'notification_delivery.subscription.topic.expression'],
  ['DELIVERY_EXHAUSTED', 'notification_delivery.body'],
  ['DELIVERY_EXHAUSTED', 'notification_delivery.attempts.response_excerpt'],
] as const;

describe.each(EXCLUDED)('for %s topics, the datapath %s', (type, datapath) => {
  test('is unknown in expressions', async () => {
    const answer = await api.post('/notification_topics', { type, name: 'Topic', expression: `${datapath} == "x"` });
    expect([answer.status, answer.violations]).toEqual([422, ['invalid /expression']]);
    expect(answer.problem.errors?.[0]?.info).toContain(
      `"${/topic\.expression|body|attempts/.exec(datapath)?.[0].replace('topic.', '') ?? ''}"`,
    );
  });

  test('is not listed for expressions', async () => {
    const listed = (await api.get(`/datapaths?prefix=${datapath}`)).json as readonly Listed[];
    const entry = listed.find(({ path }) => path === datapath);
    expect(entry?.used_in).not.toContain('expressions');
    expect(entry).toBeDefined();
  });
});

describe('an expression about the owner of a subscription', () => {
  test('needs credentials:read', async () => {
    const body = {
      type: 'SUBSCRIPTION_DISABLED',
      name: 'Topic',
      expression: 'notification_subscription.owner.name == "Hub"',
    };
    const granted = ['notifications:create', 'notifications:read'];
    expectStatus(403, await api.post('/notification_topics', body, { token: await make.token(...granted) }));
    const token = await make.token(...granted, 'credentials:read');
    expectStatus(201, await api.post('/notification_topics', body, { token }));
  });
});

describe('an explanation', () => {
  test('says that a subscription gets no messages about itself', async () => {
    const topic = await make.topic({ type: 'SUBSCRIPTION_DISABLED' });
    const own = await make.subscription({ topicId: topic.id });
    const other = await make.subscription({ topicId: topic.id });
    expectStatus(200, await api.post(`${below(own.url)}/disable`));
    const [event] = await eventsAbout(own);
    if (!event) throw new Error('no event was raised');
    await match(api, event.id, { subscriptions: [other] });
    const explanation = await explain(api, topic.id, event.id);
    expect(steps(explanation)).toEqual([
      ['type', true],
      ['expression', true],
      ['window', true, own.id],
      ['status', false, own.id],
      ['window', true, other.id],
      ['status', true, other.id],
      ['delivery', true, other.id],
    ]);
    expect(infoOf(explanation, 'status')).toBe(
      'the event is about this subscription: a subscription gets no messages about itself',
    );
  });
});
