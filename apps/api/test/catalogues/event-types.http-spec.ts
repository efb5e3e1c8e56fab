import { announceAnonymisations, EVENT_ROOTS, EVENT_TYPES, type EventType, toMessageBody } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { type AnswerChecker, openDocument } from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let checker: AnswerChecker;

interface Listed {
  readonly type: EventType;
  readonly description: string;
  readonly root: string;
  readonly required_scopes: readonly string[];
  readonly subject_scopes: readonly string[];
  readonly payload_schema: Readonly<Record<string, unknown>>;
  readonly example: Readonly<Record<string, unknown>>;
}

const setRetention = (days: number | null): ReturnType<typeof api.request> =>
  api.request('PATCH', '/api/v1/systems/1', { body: { candidate_retention_days: days } });

/** For each type, a request that causes such an event. */
const CAUSES: Readonly<Record<EventType, () => Promise<unknown>>> = {
  POSTING_CREATE: () => make.posting(),
  POSTING_UPDATE: async () => {
    const { id, vacancy, job_board } = (await make.posting()) as unknown as Record<
      'vacancy' | 'job_board',
      { id: number }
    > & { id: number };
    const body = { vacancy_id: vacancy.id, job_board_id: job_board.id, title: 'Changed' };
    return expectStatus(200, await api.put(`/postings/${id}`, body));
  },
  POSTING_DELETE: async () => expectStatus(204, await api.delete(`/postings/${(await make.posting()).id}`)),
  STATE_CHANGE_APPLICATION: async () =>
    expectStatus(
      200,
      await api.put(`/applications/${(await make.application()).id}/process_state`, { state: 'interview' }),
    ),
  STATE_CHANGE_OPPORTUNITY: async () =>
    expectStatus(200, await api.put(`/events/${(await make.event()).id}/state`, { state: 'closed' })),
  CANDIDATE_ANONYMISATION_DUE: async () => {
    const { id } = await make.candidate();
    await api.database.query(`UPDATE users SET created_dt = '2001-01-01', updated_dt = '2001-01-01' WHERE id = $1`, [
      id,
    ]);
    expectStatus(200, await setRetention(9_000));
    expect(await announceAnonymisations(api.database, { baseUrl: BASE_URL, language: 'en' })).toBe(1);
    expectStatus(200, await setRetention(null));
  },
};

let listed: readonly Listed[];
beforeAll(async () => {
  ({ checker } = await openDocument(api, make));
  listed = (await api.get('/event_types', { token: await make.scopelessToken() })).json as readonly Listed[];
});

/** The names of all properties, at any depth. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
    : typeof value;

test('GET /event_types lists every type that topics accept, and its root', async () => {
  expect(listed.map(({ type, root }) => [type, root])).toEqual(EVENT_TYPES.map((type) => [type, EVENT_ROOTS[type]]));
  for (const { type, root } of listed) await make.topic({ type, expression: `${root}.id == 1` });
});

describe.each([...EVENT_TYPES])('the event type %s', (type) => {
  const own = (): Listed => listed.find((one) => one.type === type) as Listed;

  test('has an example that its schema accepts, and that has the shape of a real message', async () => {
    const { payload_schema, example } = own();
    await CAUSES[type]();
    const [event] = await api.database.query<{ id: number; subject_id: number; recruiter_id: number; facts: object }>(
      'SELECT id, subject_id, recruiter_id, facts FROM domain_events WHERE type = $1 ORDER BY id DESC LIMIT 1',
      [type],
    );
    if (!event) throw new Error(`no event of the type ${type}`);
    const subscription = await make.subscription();
    const topic = subscription['topic'] as { readonly id: number; readonly uuid: string };
    // The notifier makes messages with this call.
    const real = JSON.parse(
      toMessageBody(
        {
          subjectType: EVENT_ROOTS[type],
          subjectId: event.subject_id,
          recruiterId: event.recruiter_id,
          occurredDt: new Date(),
          facts: event.facts as Readonly<Record<string, unknown>>,
        },
        { id: subscription.id, uuid: String(subscription['uuid']), topic },
        { messageId: String(subscription['uuid']), baseUrl: BASE_URL },
      ),
    ) as Readonly<Record<string, unknown>>;
    expect(shapeOf(example)).toEqual(shapeOf(real));
    for (const body of [example, real]) expect(checker.violationsOfValue(payload_schema, body)).toEqual([]);
    expect(checker.violationsOfValue(payload_schema, { ...real, details: {} })).not.toEqual([]);
  });

  test('needs exactly the scopes that it names', async () => {
    const { required_scopes, subject_scopes, root } = own();
    expect(required_scopes).toEqual(['notifications:create']);
    const body = { type, name: 'Topic', expression: `${root}.id == 1` };
    const needed = [...required_scopes, ...subject_scopes];
    expectStatus(201, await api.post('/notification_topics', body, { token: await make.token(...needed) }));
    for (const scope of needed) {
      const token = await make.token('layouts:read', ...needed.filter((one) => one !== scope));
      expectStatus(403, await api.post('/notification_topics', body, { token }));
    }
  });
});

test('GET /event_types describes the types in the language of the request', async () => {
  const { json, headers } = await api.get('/event_types', { headers: { 'accept-language': 'de' } });
  const [german] = json as readonly Listed[];
  expect([headers['content-language'], german?.description]).toEqual(['de', 'Eine Stellenanzeige wurde erstellt.']);
});
