import { withoutFirstDays } from '@ats/domain/testing';
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface Verdict {
  readonly step: string;
  readonly ok: boolean | null;
  readonly info: string;
  readonly subscription: { readonly id: number; readonly url: string } | null;
  readonly parts: readonly object[] | null;
}

interface Explanation {
  readonly event_id: number;
  readonly notified: boolean | null;
  readonly verdicts: readonly Verdict[];
}

const NAME = 'application.user.firstname';
const move = async ({ id }: Item, state: string): Promise<number> => {
  expectStatus(200, await api.put(`/applications/${id}/process_state`, { state }));
  return (await api.database.query<{ id: number }>('SELECT max(id) AS id FROM domain_events'))[0]?.id ?? 0;
};
/** An event about an application of a candidate with this name. */
const raise = async (firstname: string): Promise<number> =>
  move(await make.application({ user_id: (await make.candidate({ firstname })).id }), 'interview');
const explain = async (topicId: number, eventId: number): Promise<Explanation> =>
  expectStatus(200, await api.get(`/notification_topics/${topicId}/explain?event_id=${eventId}`)).json as Explanation;
const steps = ({ verdicts }: Explanation): unknown[] =>
  verdicts.map(({ step, ok, subscription }) => (subscription ? [step, ok, subscription.id] : [step, ok]));
const infoOf = ({ verdicts }: Explanation, step: string): string =>
  verdicts.find((verdict) => verdict.step === step)?.info ?? '';

/** Matches an event like the notifier: marks it, and stores late values and deliveries. */
async function match(
  eventId: number,
  {
    subscriptions = [],
    lateValues,
    status = 'delivered',
  }: { subscriptions?: readonly Item[]; lateValues?: object; status?: string } = {},
): Promise<void> {
  const { database } = api;
  if (lateValues)
    await database.query('INSERT INTO notification_late_facts (event_id, facts) VALUES ($1, $2)', [
      eventId,
      JSON.stringify(lateValues),
    ]);
  await database.query(
    `UPDATE domain_events SET status = 'done', matched_dt = clock_timestamp(), matched_version = (SELECT version FROM notification_index_version) WHERE id = $1`,
    [eventId],
  );
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision, sequence, body, status, attempts, last_status_code,
       last_error, next_attempt_dt, queued_dt, lease_token, lease_until_dt, finished_dt)
     SELECT e.occurred_dt, gen_random_uuid(), e.id, s.id, s.topic_id, 1, 1, '{}', $3, 2, 503, 'status', now(), now(), gen_random_uuid(), now(), now()
     FROM domain_events e, notification_subscriptions s WHERE e.id = $1 AND s.id = ANY($2)`,
    [eventId, subscriptions.map(({ id }) => id), status],
  );
}

async function makeTopic(
  expression: string | null,
): Promise<{ readonly topic: Item; readonly subscription: Item; readonly path: string }> {
  const topic = await make.topic({ expression });
  const subscription = await make.subscription({ topicId: topic.id });
  return { topic, subscription, path: `/notification_topics/${topic.id}/subscriptions/${subscription.id}` };
}

describe('an explanation', () => {
  test('shows each step, and each part of the expression with its value', async () => {
    const { topic, subscription } = await makeTopic(
      `${NAME} == "Ann" AND (application.rating == 5 OR application.rating == NULL)`,
    );
    const eventId = await raise('Ann');
    await match(eventId, { subscriptions: [subscription] });
    const part = { read_late: [], not_recorded: [], parts: null };
    const rating = { 'application.rating': null };
    const of = {
      id: subscription.id,
      url: `${BASE_URL}/api/v1/notification_topics/${topic.id}/subscriptions/${subscription.id}`,
    };
    expect(await explain(topic.id, eventId)).toEqual({
      event_id: eventId,
      notified: true,
      verdicts: [
        {
          step: 'type',
          ok: true,
          info: expect.stringContaining('STATE_CHANGE_APPLICATION'),
          subscription: null,
          parts: null,
        },
        {
          step: 'expression',
          ok: true,
          info: expect.stringContaining('revision 1'),
          subscription: null,
          parts: [
            { ...part, text: `${NAME} == "Ann"`, values: { [NAME]: 'Ann' }, result: true },
            {
              ...part,
              text: 'application.rating == 5 OR application.rating == null',
              values: rating,
              result: true,
              parts: [
                { ...part, text: 'application.rating == 5', values: rating, result: false },
                { ...part, text: 'application.rating == null', values: rating, result: true },
              ],
            },
          ],
        },
        { step: 'window', ok: true, info: expect.any(String), subscription: of, parts: null },
        { step: 'status', ok: true, info: expect.any(String), subscription: of, parts: null },
        { step: 'delivery', ok: true, info: expect.stringContaining('delivered'), subscription: of, parts: null },
      ],
    });
  });

  test('stays the same after the topic and the candidate have changed', async () => {
    const { topic, subscription } = await makeTopic(`${NAME} == "Ann"`);
    const eventId = await raise('Ann');
    await match(eventId, { subscriptions: [subscription] });
    const before = await explain(topic.id, eventId);
    expectStatus(
      200,
      await api.put(`/notification_topics/${topic.id}`, {
        type: 'POSTING_CREATE',
        name: 'Other',
        expression: 'posting.id == 1',
      }),
    );
    expect(await explain(topic.id, eventId)).toEqual(before);
    const later = await raise('Ann');
    await match(later);
    expect(steps(await explain(topic.id, later))).toEqual([['type', false]]);
  });

  test('stays the same after the subscription is disabled, replaced and deleted', async () => {
    const { topic, subscription, path } = await makeTopic(null);
    const [early, late] = [await raise('Ann'), await raise('Ben')];
    await match(early, { subscriptions: [subscription] });
    const expected = ['window', 'status', 'delivery'].map((step) => [step, true, subscription.id]);
    const verdicts = async (): Promise<unknown[]> => steps(await explain(topic.id, early)).slice(2);
    expectStatus(
      200,
      await api.put(path, { destination_url: 'https://receiver.example.com/', start_dt: '2099-01-01T00:00:00.000Z' }),
    );
    expect(await verdicts()).toEqual(expected);
    expectStatus(200, await api.post(`${path}/disable`));
    expect(await verdicts()).toEqual(expected);
    expectStatus(204, await api.delete(path));
    expect(await verdicts()).toEqual(expected);
    expect(infoOf(await explain(topic.id, early), 'status')).toContain('deleted at');
    await match(late);
    expect(steps(await explain(topic.id, late)).slice(2)).toEqual([['window', false]]);
  });

  test('compares the time of the event with the window to the millisecond', async () => {
    const topic = await make.topic();
    const window = { start_dt: '2090-01-01T00:00:00.000Z', end_dt: '2090-01-02T00:00:00.000Z' };
    const { id } = await make.subscription({ topicId: topic.id, ...window });
    const cases = [
      ['2089-12-31T23:59:59.999Z', false],
      [window.start_dt, true],
      ['2090-01-01T23:59:59.999Z', true],
      [window.end_dt, false],
    ] as const;
    for (const [occurred, ok] of cases) {
      const eventId = await raise('Ann');
      await api.database.query('UPDATE domain_events SET occurred_dt = $2 WHERE id = $1', [eventId, occurred]);
      await match(eventId);
      const explanation = await explain(topic.id, eventId);
      expect([occurred, steps(explanation)[2]]).toEqual([occurred, ['window', ok, id]]);
      expect(infoOf(explanation, 'window')).toContain(occurred);
    }
  });

  test('explains why there is no delivery: the expression, a later topic, no subscription', async () => {
    const { topic, subscription } = await makeTopic(`${NAME} == "Ann"`);
    const eventId = await raise('Ben');
    await match(eventId);
    expect(await explain(topic.id, eventId)).toMatchObject({
      notified: false,
      verdicts: [{}, { ok: false, parts: [{ values: { [NAME]: 'Ben' }, result: false }] }, {}, {}],
    });
    expect(steps(await explain(topic.id, eventId)).slice(2)).toEqual([
      ['window', true, subscription.id],
      ['status', true, subscription.id],
    ]);

    const younger = await makeTopic(`${NAME} == "Ben"`);
    const explanation = await explain(younger.topic.id, eventId);
    expect(steps(explanation)).toEqual([
      ['type', true],
      ['expression', true],
      ['window', false, younger.subscription.id],
    ]);
    expect([infoOf(explanation, 'expression'), infoOf(explanation, 'window')]).toEqual([
      expect.stringContaining('after the event'),
      expect.stringContaining('created'),
    ]);

    const lonely = await make.topic();
    const next = await raise('Ben');
    await match(next);
    expect(steps(await explain(lonely.id, next))).toEqual([
      ['type', true],
      ['expression', true],
      ['window', false],
    ]);
  });

  test.each([
    ['due', false, 'attempts so far: 2; the last attempt failed: status (503)'],
    ['queued', false, 'due at'],
    ['sending', false, 'attempt 2 is under way'],
    ['exhausted', false, 'given up'],
    ['cancelled', false, 'cancelled'],
    ['held', false, 'held until'],
    ['delivered', true, 'delivered at'],
  ])('shows the result of a delivery that is %s', async (status, ok, info) => {
    const { topic, subscription } = await makeTopic(null);
    const eventId = await raise('Ann');
    await match(eventId, { subscriptions: [subscription], status });
    const explanation = await explain(topic.id, eventId);
    expect([explanation.notified, steps(explanation).at(-1)]).toEqual([ok, ['delivery', ok, subscription.id]]);
    expect(infoOf(explanation, 'delivery')).toContain(info);
    expect(steps(explanation).at(-2)).toEqual(['status', !['held', 'cancelled'].includes(status), subscription.id]);
  });

  test('counts a delivery as notified once accepted, also during a redelivery', async () => {
    const { topic, subscription } = await makeTopic(null);
    const eventId = await raise('Ann');
    await match(eventId, { subscriptions: [subscription], status: 'due' });
    const attempt = (number: number, error: string | null): Promise<object[]> =>
      api.database.query(
        `INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, status_code, error, worker)
         SELECT occurred_dt, id, $2, 'auto', 'done', 'https://receiver.example.com/', 200, $3, 'w' FROM notification_deliveries WHERE event_id = $1`,
        [eventId, number, error],
      );
    await attempt(1, 'status');
    expect((await explain(topic.id, eventId)).notified).toBe(false);
    await attempt(2, null);
    const explanation = await explain(topic.id, eventId);
    expect([explanation.notified, infoOf(explanation, 'delivery')]).toEqual([
      true,
      expect.stringMatching(/^accepted by the attempt at .*sent again since then: due at/),
    ]);
  });

  test('says why a message was held, and that it was released', async () => {
    const { topic, subscription, path } = await makeTopic(null);
    expectStatus(200, await api.post(`${path}/disable`));
    const eventId = await raise('Ann');
    await match(eventId, { subscriptions: [subscription], status: 'held' });
    expect(infoOf(await explain(topic.id, eventId), 'status')).toMatch(/^disabled since .* \(requested\)/);
    await api.database.query(`UPDATE notification_deliveries SET status = 'delivered' WHERE event_id = $1`, [eventId]);
    expectStatus(200, await api.post(`${path}/enable`));
    const explanation = await explain(topic.id, eventId);
    expect([explanation.notified, steps(explanation).slice(3)]).toEqual([
      true,
      [
        ['status', true, subscription.id],
        ['delivery', true, subscription.id],
      ],
    ]);
    expect(infoOf(explanation, 'status')).toContain('enabled again');
  });

  test('reports a missing delivery, except after its retention period', async () => {
    const { topic, subscription } = await makeTopic(null);
    const eventId = await raise('Ann');
    await match(eventId);
    expect(infoOf(await explain(topic.id, eventId), 'delivery')).toContain('although one was required');
    const explanation = await withoutFirstDays(api.database, () => explain(topic.id, eventId));
    expect([explanation.notified, steps(explanation).at(-1)]).toEqual([null, ['delivery', null, subscription.id]]);
  });

  test('names values that were read late, and values that do not exist', async () => {
    const path = 'application.opportunity.owner.firstname';
    const eventId = await raise('Ann');
    const { topic, subscription } = await makeTopic(`${path} == "Olga" AND ${NAME} == "Ann"`);
    expect(await explain(topic.id, eventId)).toMatchObject({
      verdicts: [
        {},
        {
          ok: null,
          parts: [{ values: { [path]: null }, result: null, read_late: [], not_recorded: [path] }, { result: true }],
        },
        {},
        {},
        {},
      ],
    });
    await match(eventId, { subscriptions: [subscription], lateValues: { [path]: 'Olga' } });
    expect(await explain(topic.id, eventId)).toMatchObject({
      verdicts: [
        {},
        { ok: true, parts: [{ values: { [path]: 'Olga' }, result: true, read_late: [path], not_recorded: [] }, {}] },
        {},
        {},
        {},
      ],
    });
  });

  test('loses the values of an anonymised person, and says that they cannot be evaluated', async () => {
    const { topic, subscription } = await makeTopic(`${NAME} == "Forgotten"`);
    const candidate = await make.candidate({ firstname: 'Forgotten' });
    const application = await make.application({ user_id: candidate.id });
    const eventId = await move(application, 'rejected');
    await match(eventId, { subscriptions: [subscription] });
    expectStatus(200, await api.post(`/candidates/${candidate.id}/anonymise`));
    expect(await explain(topic.id, eventId)).toMatchObject({
      notified: true,
      verdicts: [
        {},
        { ok: null, parts: [{ values: { [NAME]: null }, result: null, not_recorded: [NAME] }] },
        {},
        {},
        {},
      ],
    });
  });

  test('says that an event is waiting for matching or quarantined', async () => {
    const { topic, subscription } = await makeTopic(`${NAME} == "Ann"`);
    const eventId = await raise('Ann');
    const expected = [
      ['type', true],
      ['expression', true],
      ['window', true, subscription.id],
      ['status', true, subscription.id],
      ['delivery', false],
    ];
    const waiting = await explain(topic.id, eventId);
    expect([waiting.notified, steps(waiting), infoOf(waiting, 'delivery')]).toEqual([
      false,
      expected,
      expect.stringContaining('not been matched yet'),
    ]);
    await api.database.query(`UPDATE domain_events SET status = 'quarantined', tries = 5 WHERE id = $1`, [eventId]);
    const quarantined = await explain(topic.id, eventId);
    expect([quarantined.notified, steps(quarantined), infoOf(quarantined, 'delivery')]).toEqual([
      false,
      expected,
      expect.stringContaining('quarantined'),
    ]);
  });
});

describe('asking for an explanation', () => {
  test.each([
    ['', ['missing ?event_id']],
    ['event_id=', ['invalid ?event_id']],
    ['event_id=0', ['invalid ?event_id']],
    ['event_id=-1', ['invalid ?event_id']],
    ['event_id=1.5', ['invalid ?event_id']],
    ['event_id=9007199254740993', ['invalid ?event_id']],
    ['event_id=%00', ['invalid ?event_id']],
    ['event_id=1&event_id=1', ['invalid ?event_id']],
    ['evnt_id=1', ['invalid ?evnt_id', 'missing ?event_id']],
    ['event_id=abc&page=1', ['invalid ?event_id', 'invalid ?page']],
  ])('with "%s" is rejected', async (query, violations) => {
    const { id } = await make.topic();
    const answer = await api.get(`/notification_topics/${id}/explain?${query}`);
    expect([answer.status, [...answer.violations].sort()]).toEqual([400, violations]);
  });

  test('needs an existing topic and event', async () => {
    const eventId = await raise('Ann');
    expect((await api.get(`/notification_topics/999999/explain?event_id=${eventId}`)).status).toBe(404);
    expect((await api.get(`/notification_topics/${(await make.topic()).id}/explain?event_id=999999`)).status).toBe(404);
  });

  test('needs the scopes of the expression as it was at the event', async () => {
    const { topic } = await makeTopic('application.user.language == "en"');
    const eventId = await raise('Ann');
    await match(eventId);
    expectStatus(
      200,
      await api.put(`/notification_topics/${topic.id}`, {
        type: 'STATE_CHANGE_APPLICATION',
        name: 'Harmless',
        expression: 'application.id == 1',
      }),
    );
    const path = `/notification_topics/${topic.id}/explain?event_id=${eventId}`;
    const refused = await api.get(path, { token: await make.token('notifications:read', 'applications:read') });
    expect([refused.status, refused.problem.message]).toEqual([403, expect.stringContaining('users:read')]);
    expectStatus(
      200,
      await api.get(path, { token: await make.token('notifications:read', 'applications:read', 'users:read') }),
    );
  });
});
