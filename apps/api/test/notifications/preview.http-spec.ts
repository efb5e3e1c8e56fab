// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { BASE_URL, type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface Preview {
  readonly evaluated: number;
  readonly matched: number;
  readonly unknown: number;
  readonly events: readonly {
    readonly event_id: number;
    readonly occurred_dt: string;
    readonly subject: Item;
    readonly matched: boolean | null;
    readonly values: Readonly<Record<string, unknown>>;
    readonly not_recorded: readonly string[];
  }[];
}

const TYPE = 'STATE_CHANGE_APPLICATION';
const preview = async (body: object, options?: RequestOptions): Promise<Preview> =>
  expectStatus(200, await api.post('/notification_topics/preview', { type: TYPE, ...body }, options)).json as Preview;
const move = async ({ id }: Item, state: string): Promise<void> =>
  void expectStatus(200, await api.put(`/applications/${id}/process_state`, { state }));

describe('a preview', () => {
  test('lists the past events that an expression matches, newest first, with the evaluated values', async () => {
    const application = await make.application({ user_id: (await make.candidate({ firstname: 'Ann' })).id });
    for (const state of ['in_review', 'interview']) await move(application, state);
    await make.posting();
    const path = 'application.main_process_state.state.state';
    const result = await preview({ expression: `${path} == "interview" AND application.user.firstname == "Ann"` });
    const subject = { id: application.id, url: application.url };
    expect(result).toEqual({
      evaluated: 2,
      matched: 1,
      unknown: 0,
      events: [
        {
          event_id: expect.any(Number),
          occurred_dt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          subject,
          matched: true,
          values: { [path]: 'interview', 'application.user.firstname': 'Ann' },
          not_recorded: [],
        },
        {
          event_id: expect.any(Number),
          occurred_dt: expect.any(String),
          subject,
          matched: false,
          values: { [path]: 'in_review', 'application.user.firstname': 'Ann' },
          not_recorded: [],
        },
      ],
    });
    expect(result.events[0]?.event_id).toBeGreaterThan(result.events[1]?.event_id ?? Infinity);
  });

  test('uses the values at the event, not the current ones', async () => {
    const candidate = await make.candidate({ firstname: 'Then' });
    await move(await make.application({ user_id: candidate.id }), 'interview');
    expectStatus(
      200,
      await api.put(`/candidates/${candidate.id}`, { firstname: 'Now', lastname: 'Byron', email: candidate['email'] }),
    );
    expect((await preview({ expression: 'application.user.firstname == "Then"', limit: 1 })).matched).toBe(1);
    expect((await preview({ expression: 'application.user.firstname == "Now"', limit: 1 })).matched).toBe(0);
  });

  test('evaluates dates at the time of the event', async () => {
    await move(await make.application(), 'interview');
    await api.database.query(
      `UPDATE domain_events SET occurred_dt = '2020-02-29T23:30:00Z', time_zone = 'Europe/Vienna' WHERE id = (SELECT max(id) FROM domain_events)`,
    );
    const expression = 'DATE("today") == DATE("2020-03-01") AND DATE("now") == DATE("2020-02-29T23:30:00Z")';
    expect(await preview({ expression, limit: 1 })).toMatchObject({
      evaluated: 1,
      matched: 1,
      events: [{ occurred_dt: '2020-02-29T23:30:00.000Z', values: {} }],
    });
  });

  test('names values that an event does not store, and says that results that depend on them are unknown', async () => {
    const vacancy = await make.vacancy({ owner_id: (await make.recruiter({ firstname: 'Olga' })).id });
    await move(await make.application({ opportunity_id: vacancy.id }), 'interview');
    const path = 'application.opportunity.owner.firstname';
    expect(await preview({ expression: `${path} == "Olga" OR application.id == 0`, limit: 1 })).toMatchObject({
      matched: 0,
      unknown: 1,
      events: [{ matched: null, values: { [path]: null }, not_recorded: [path] }],
    });
    expect(await preview({ expression: `${path} == "Olga" AND application.id == 0`, limit: 1 })).toMatchObject({
      unknown: 0,
      events: [{ matched: false, not_recorded: [path] }],
    });
    await make.topic({ expression: `${path} == "Olga"` });
    await move(await make.application({ opportunity_id: vacancy.id }), 'interview');
    expect(await preview({ expression: `${path} == "Olga"`, limit: 1 })).toMatchObject({
      matched: 1,
      events: [{ values: { [path]: 'Olga' }, not_recorded: [] }],
    });
  });

  test('matches every event when the request has no expression, up to the limit', async () => {
    await move(await make.application(), 'in_review');
    await move(await make.application(), 'in_review');
    for (const expression of [undefined, null, '', '  '])
      expect(await preview({ expression, limit: 2 })).toMatchObject({ evaluated: 2, matched: 2 });
    expect(await preview({ limit: 1 })).toMatchObject({
      evaluated: 1,
      matched: 1,
      events: [{ values: {}, not_recorded: [] }],
    });
    expect((await preview({ type: 'POSTING_DELETE' })).events).toEqual([]);
  });

  test('shows the URLs of postings, vacancies and events as subjects', async () => {
    const posting = await make.posting();
    const event = await make.event({ state: 'draft' });
    expectStatus(200, await api.put(`/events/${event.id}/state`, { state: 'open' }));
    expect((await preview({ type: 'POSTING_CREATE', limit: 1 })).events[0]?.subject.url).toBe(posting.url);
    expect((await preview({ type: 'STATE_CHANGE_OPPORTUNITY', limit: 1 })).events[0]?.subject.url).toBe(
      `${BASE_URL}/api/v1/events/${event.id}`,
    );
  });

  test('replays the first answer until a person in it is anonymised', async () => {
    const candidate = await make.candidate({ firstname: 'Repeated' });
    const application = await make.application({ user_id: candidate.id });
    await move(application, 'interview');
    const body = { expression: 'application.user.firstname == "Repeated"', limit: 1 };
    const options = { headers: { 'idempotency-key': 'preview' } };
    const first = await preview(body, options);
    await move(await make.application(), 'interview');
    expect(await preview(body, options)).toEqual(first);
    await move(application, 'rejected');
    expectStatus(200, await api.post(`/candidates/${candidate.id}/anonymise`));
    expect(JSON.stringify(await preview({ ...body, limit: 10 }, options))).not.toContain('Repeated');
  });

  test('examines fewer events when they are very large', async () => {
    const posting = await make.posting();
    await api.database.query(
      `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts)
       SELECT 'POSTING_UPDATE', 'posting', $1, 1, 'UTC', jsonb_build_object('posting.description', repeat('x', 1000000)) FROM generate_series(1, 20)`,
      [posting.id],
    );
    const { evaluated } = await preview({
      type: 'POSTING_UPDATE',
      expression: 'posting.description =~ "y"',
      limit: 20,
    });
    expect(evaluated).toBeGreaterThan(0);
    expect(evaluated).toBeLessThan(6);
  });
});

describe('a request for a preview', () => {
  test.each([
    [{}, ['missing /type']],
    [{ type: 'UNKNOWN', limit: 0 }, ['invalid /limit', 'invalid /type']],
    [{ type: TYPE, limit: 1001 }, ['invalid /limit']],
    [{ type: TYPE, limit: 1.5 }, ['invalid /limit']],
    [{ type: TYPE, limit: '10' }, ['invalid /limit']],
    [{ type: TYPE, name: 'Topic' }, ['invalid /name']],
    [{ type: TYPE, expression: 1 }, ['invalid /expression']],
    [
      { type: TYPE, expression: 'application.foo == 1 AND application.bar == 2', limit: -1 },
      ['invalid /expression', 'invalid /limit'],
    ],
    [{ type: TYPE, expression: 'application.id ==' }, ['invalid /expression']],
    [{ type: TYPE, expression: 'posting.id == 1' }, ['invalid /expression']],
    [{ type: TYPE, expression: 'a\u0000' }, ['invalid /expression']],
    [{ type: TYPE, expression: `application.source == "\ud800"` }, ['invalid /expression']],
    [{ type: TYPE, expression: 'x'.repeat(10_000) }, ['invalid /expression']],
  ])('is rejected with all violations at once (%#)', async (body, violations) => {
    const answer = await api.post('/notification_topics/preview', body);
    expect([answer.status, [...new Set(answer.violations)].sort()]).toEqual([422, violations]);
  });

  test('reports the position of an error in the expression, as topics do', async () => {
    const expression = 'application.usr.id == 1';
    const [tried, written] = [
      await api.post('/notification_topics/preview', { type: TYPE, expression }),
      await api.post('/notification_topics', { type: TYPE, name: 'Topic', expression }),
    ];
    expect(tried.problem.errors).toEqual(written.problem.errors);
    expect(tried.problem.errors?.[0]?.info).toMatch(/^1:13: /);
  });

  test('needs the read scopes of all datapaths in the expression', async () => {
    const body = { type: TYPE, expression: 'application.user.language == "de"' };
    const refused = await api.post('/notification_topics/preview', body, {
      token: await make.token('notifications:write', 'applications:read'),
    });
    expect([refused.status, refused.problem.message]).toEqual([403, expect.stringContaining('users:read')]);
    await preview(body, { token: await make.token('notifications:write', 'applications:read', 'users:read') });
  });
});
