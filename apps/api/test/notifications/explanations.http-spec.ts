// @group sample: npm test runs a quarter of its tests
import { withoutFirstDays } from '@ats/domain/testing';
import { describe, expect, test } from '@jest/globals';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { NAME, move, raise, explain, steps, infoOf, match, makeTopic } from './explained-events.js';

const { api, make } = useApi();

describe('an explanation', () => {
  test('shows each step from the event to the delivery, and each part of the expression with its value', async () => {
    const { topic, subscription } = await makeTopic(
      make,
      `${NAME} == "Ann" AND (application.rating == 5 OR application.rating == NULL)`,
    );
    const eventId = await raise(api, make, 'Ann');
    await match(api, eventId, { subscriptions: [subscription] });
    const part = { read_late: [], not_recorded: [], parts: null };
    const rating = { 'application.rating': null };
    const of = {
      id: subscription.id,
      url: `${BASE_URL}/api/v1/notification_topics/${topic.id}/subscriptions/${subscription.id}`,
    };
    expect(await explain(api, topic.id, eventId)).toEqual({
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
    const { topic, subscription } = await makeTopic(make, `${NAME} == "Ann"`);
    const eventId = await raise(api, make, 'Ann');
    await match(api, eventId, { subscriptions: [subscription] });
    const before = await explain(api, topic.id, eventId);
    expectStatus(
      200,
      await api.put(`/notification_topics/${topic.id}`, {
        type: 'POSTING_CREATE',
        name: 'Other',
        expression: 'posting.id == 1',
      }),
    );
    expect(await explain(api, topic.id, eventId)).toEqual(before);
    const later = await raise(api, make, 'Ann');
    await match(api, later);
    expect(steps(await explain(api, topic.id, later))).toEqual([['type', false]]);
  });

  test('stays the same after the subscription is disabled, replaced and deleted', async () => {
    const { topic, subscription, path } = await makeTopic(make, null);
    const [early, late] = [await raise(api, make, 'Ann'), await raise(api, make, 'Ben')];
    await match(api, early, { subscriptions: [subscription] });
    const expected = ['window', 'status', 'delivery'].map((step) => [step, true, subscription.id]);
    const verdicts = async (): Promise<unknown[]> => steps(await explain(api, topic.id, early)).slice(2);
    expectStatus(
      200,
      await api.put(path, { destination_url: 'https://receiver.example.com/', start_dt: '2099-01-01T00:00:00.000Z' }),
    );
    expect(await verdicts()).toEqual(expected);
    expectStatus(200, await api.post(`${path}/disable`));
    expect(await verdicts()).toEqual(expected);
    expectStatus(204, await api.delete(path));
    expect(await verdicts()).toEqual(expected);
    expect(infoOf(await explain(api, topic.id, early), 'status')).toContain('deleted at');
    await match(api, late);
    expect(steps(await explain(api, topic.id, late)).slice(2)).toEqual([['window', false]]);
  });

  test('compares the time of the event with the period of the subscription to the millisecond', async () => {
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
      const eventId = await raise(api, make, 'Ann');
      await api.database.query('UPDATE domain_events SET occurred_dt = $2 WHERE id = $1', [eventId, occurred]);
      await match(api, eventId);
      const explanation = await explain(api, topic.id, eventId);
      expect([occurred, steps(explanation)[2]]).toEqual([occurred, ['window', ok, id]]);
      expect(infoOf(explanation, 'window')).toContain(occurred);
    }
  });

  test('explains why there is no delivery: the expression, a later topic, no subscription', async () => {
    const { topic, subscription } = await makeTopic(make, `${NAME} == "Ann"`);
    const eventId = await raise(api, make, 'Ben');
    await match(api, eventId);
    expect(await explain(api, topic.id, eventId)).toMatchObject({
      notified: false,
      verdicts: [{}, { ok: false, parts: [{ values: { [NAME]: 'Ben' }, result: false }] }, {}, {}],
    });
    expect(steps(await explain(api, topic.id, eventId)).slice(2)).toEqual([
      ['window', true, subscription.id],
      ['status', true, subscription.id],
    ]);

    const younger = await makeTopic(make, `${NAME} == "Ben"`);
    const explanation = await explain(api, younger.topic.id, eventId);
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
    const next = await raise(api, make, 'Ben');
    await match(api, next);
    expect(steps(await explain(api, lonely.id, next))).toEqual([
      ['type', true],
      ['expression', true],
      ['window', false],
    ]);
  });

  test.each([
    ['due', false, 'attempts so far: 2; the last attempt failed: status (503)'],
    ['queued', false, 'due at'],
    ['sending', false, 'attempt 2 is running'],
    ['exhausted', false, 'exhausted at'],
    ['cancelled', false, 'cancelled'],
    ['held', false, 'held until'],
    ['delivered', true, 'delivered at'],
  ])('shows the result of a delivery that is %s', async (status, ok, info) => {
    const { topic, subscription } = await makeTopic(make, null);
    const eventId = await raise(api, make, 'Ann');
    await match(api, eventId, { subscriptions: [subscription], status });
    const explanation = await explain(api, topic.id, eventId);
    expect([explanation.notified, steps(explanation).at(-1)]).toEqual([ok, ['delivery', ok, subscription.id]]);
    expect(infoOf(explanation, 'delivery')).toContain(info);
    expect(steps(explanation).at(-2)).toEqual(['status', !['held', 'cancelled'].includes(status), subscription.id]);
  });

  test('counts a delivery as notified once it was accepted, even during a redelivery', async () => {
    const { topic, subscription } = await makeTopic(make, null);
    const eventId = await raise(api, make, 'Ann');
    await match(api, eventId, { subscriptions: [subscription], status: 'due' });
    const attempt = (number: number, error: string | null): Promise<object[]> =>
      api.database.query(
        `INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, status_code, error, worker)
         SELECT occurred_dt, id, $2, 'auto', 'done', 'https://receiver.example.com/', 200, $3, 'w' FROM notification_deliveries WHERE event_id = $1`,
        [eventId, number, error],
      );
    await attempt(1, 'status');
    expect((await explain(api, topic.id, eventId)).notified).toBe(false);
    await attempt(2, null);
    const explanation = await explain(api, topic.id, eventId);
    expect([explanation.notified, infoOf(explanation, 'delivery')]).toEqual([
      true,
      expect.stringMatching(/^the destination accepted the attempt at .*sent again since then: due at/),
    ]);
  });

  test('says why a message was held, and that it was released', async () => {
    const { topic, subscription, path } = await makeTopic(make, null);
    expectStatus(200, await api.post(`${path}/disable`));
    const eventId = await raise(api, make, 'Ann');
    await match(api, eventId, { subscriptions: [subscription], status: 'held' });
    expect(infoOf(await explain(api, topic.id, eventId), 'status')).toMatch(
      /^the subscription had been disabled since .* \(requested\)/,
    );
    await api.database.query(`UPDATE notification_deliveries SET status = 'delivered' WHERE event_id = $1`, [eventId]);
    expectStatus(200, await api.post(`${path}/enable`));
    const explanation = await explain(api, topic.id, eventId);
    expect([explanation.notified, steps(explanation).slice(3)]).toEqual([
      true,
      [
        ['status', true, subscription.id],
        ['delivery', true, subscription.id],
      ],
    ]);
    expect(infoOf(explanation, 'status')).toContain('enabled again');
  });

  test('reports a missing delivery, but not after the retention period', async () => {
    const { topic, subscription } = await makeTopic(make, null);
    const eventId = await raise(api, make, 'Ann');
    await match(api, eventId);
    expect(infoOf(await explain(api, topic.id, eventId), 'delivery')).toContain('although one was required');
    const explanation = await withoutFirstDays(api.database, () => explain(api, topic.id, eventId));
    expect([explanation.notified, steps(explanation).at(-1)]).toEqual([null, ['delivery', null, subscription.id]]);
  });

  test('names values that were read only after the event, and values that were never stored', async () => {
    const path = 'application.opportunity.owner.firstname';
    const eventId = await raise(api, make, 'Ann');
    const { topic, subscription } = await makeTopic(make, `${path} == "Olga" AND ${NAME} == "Ann"`);
    expect(await explain(api, topic.id, eventId)).toMatchObject({
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
    await match(api, eventId, { subscriptions: [subscription], lateValues: { [path]: 'Olga' } });
    expect(await explain(api, topic.id, eventId)).toMatchObject({
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
    const { topic, subscription } = await makeTopic(make, `${NAME} == "Forgotten"`);
    const candidate = await make.candidate({ firstname: 'Forgotten' });
    const application = await make.application({ user_id: candidate.id });
    const eventId = await move(api, application, 'rejected');
    await match(api, eventId, { subscriptions: [subscription] });
    expectStatus(200, await api.post(`/candidates/${candidate.id}/anonymise`));
    expect(await explain(api, topic.id, eventId)).toMatchObject({
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
    const { topic, subscription } = await makeTopic(make, `${NAME} == "Ann"`);
    const eventId = await raise(api, make, 'Ann');
    const expected = [
      ['type', true],
      ['expression', true],
      ['window', true, subscription.id],
      ['status', true, subscription.id],
      ['delivery', false],
    ];
    const waiting = await explain(api, topic.id, eventId);
    expect([waiting.notified, steps(waiting), infoOf(waiting, 'delivery')]).toEqual([
      false,
      expected,
      expect.stringContaining('not been matched yet'),
    ]);
    await api.database.query(`UPDATE domain_events SET status = 'quarantined', tries = 5 WHERE id = $1`, [eventId]);
    const quarantined = await explain(api, topic.id, eventId);
    expect([quarantined.notified, steps(quarantined), infoOf(quarantined, 'delivery')]).toEqual([
      false,
      expected,
      expect.stringContaining('quarantined'),
    ]);
  });
});
