// @group sample: npm test runs a quarter of its tests
import { EVENT_ROOTS, EVENT_TYPES, type EventType, toMessageBody } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventCauses } from '../notifications/event-causes.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { type AnswerChecker, openDocument } from '../support/answer-checker.js';
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

let listed: readonly Listed[];
beforeAll(async () => {
  ({ checker } = await openDocument(api, make));
  listed = (await api.get('/event_types', { token: await make.scopelessToken() })).json as readonly Listed[];
});

/** Returns the names of all properties at any depth, without their values. */
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
    await eventCauses(api, make)[type]();
    const [event] = await api.database.query<{ id: number; subject_id: number; recruiter_id: number; facts: object }>(
      'SELECT id, subject_id, recruiter_id, facts FROM domain_events WHERE type = $1 ORDER BY id DESC LIMIT 1',
      [type],
    );
    if (!event) throw new Error(`no event of the type ${type}`);
    const subscription = await make.subscription();
    const topic = subscription['topic'] as { readonly id: number; readonly uuid: string };
    // Makes the message with the same function as the notifier.
    const real = JSON.parse(
      toMessageBody(
        {
          type,
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
