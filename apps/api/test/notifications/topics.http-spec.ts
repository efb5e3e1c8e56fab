import { describe, expect, test } from '@jest/globals';
import { identityOf } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const TYPES = [
  'POSTING_CREATE',
  'POSTING_UPDATE',
  'POSTING_DELETE',
  'STATE_CHANGE_APPLICATION',
  'STATE_CHANGE_OPPORTUNITY',
];
const NAMED = { type: 'STATE_CHANGE_APPLICATION', name: 'Topic' };

describe('a topic', () => {
  test.each(TYPES)('is returned as it was written, with the type %s', async (type) => {
    const root = type.startsWith('POSTING')
      ? 'posting'
      : type === 'STATE_CHANGE_APPLICATION'
        ? 'application'
        : 'opportunity';
    const body = { type, name: 'Name', description: 'Text', expression: `${root}.id == 1` };
    const { item, headers } = expectStatus(201, await api.post('/notification_topics', body));
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/notification_topics/${item.id}`),
      ...body,
      owner: { id: expect.any(Number), url: expect.stringContaining('/credentials/') },
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/notification_topics/${item.id}`)).item).toEqual(item);
  });

  test.each([undefined, null, '', '  '])(
    'matches every event of its type when its expression is %j',
    async (expression) => {
      expectStatus(201, await api.post('/notification_topics', { ...NAMED, expression }));
    },
  );

  test.each([
    'posting.closing_date <= DATE("today") - DTDURATION(1, 0, 0, 0)',
    'posting.posting_loc_meth.post_loc_vac.job_board.id == 4 AND (posting.status == "live")',
  ])('accepts the documented expressions: %s', async (expression) => {
    expectStatus(201, await api.post('/notification_topics', { type: 'POSTING_UPDATE', name: 'Topic', expression }));
  });

  test('is replaced as a whole', async () => {
    const { id } = await make.topic({ description: 'Text', expression: 'application.id == 1' });
    const { item } = expectStatus(
      200,
      await api.put(`/notification_topics/${id}`, { type: 'POSTING_CREATE', name: 'New' }),
    );
    expect(item).toMatchObject({ type: 'POSTING_CREATE', name: 'New', description: null, expression: null });
  });

  test('deletes its subscriptions when it is deleted', async () => {
    const subscription = await make.subscription();
    const { id } = subscription['topic'] as { id: number };
    expectStatus(204, await api.delete(`/notification_topics/${id}`));
    expect((await api.get(`/notification_topics/${id}`)).status).toBe(404);
    expect((await api.get(`/notification_topics/${id}/subscriptions/${subscription.id}`)).status).toBe(404);
    expect((await api.get(`/notification_topics/${id}/subscriptions`)).status).toBe(404);
  });
});

describe('writing a topic', () => {
  test.each([
    [{}, ['missing /name', 'missing /type']],
    [{ type: 'UNKNOWN', name: ' ' }, ['invalid /name', 'invalid /type']],
    [{ ...NAMED, description: 'x'.repeat(10_001), expression: 1 }, ['invalid /description', 'invalid /expression']],
    [{ ...NAMED, revision: 1, datapaths: [] }, ['invalid /datapaths', 'invalid /revision']],
    [{ ...NAMED, expression: 'application.foo == 1' }, ['invalid /expression']],
    [{ name: 'Topic', expression: 'a =' }, ['invalid /expression', 'missing /type']],
    [{ name: 'Topic', type: 'NO_TYPE', expression: 'posting.foo == 1' }, ['invalid /expression', 'invalid /type']],
    [{ name: 'Topic', expression: 'posting.id == 1' }, ['missing /type']],
    [{ ...NAMED, expression: 'application.id ==' }, ['invalid /expression']],
    [{ ...NAMED, expression: 'application.id == "x"' }, ['invalid /expression']],
    [{ ...NAMED, expression: 'posting.id == 1' }, ['invalid /expression']],
    [{ ...NAMED, expression: 'application.__proto__ == 1' }, ['invalid /expression']],
    [{ ...NAMED, expression: `${'('.repeat(33)}application.id == 1${')'.repeat(33)}` }, ['invalid /expression']],
    [{ ...NAMED, expression: `application.source == "${'x'.repeat(4096)}"` }, ['invalid /expression']],
  ])('rejects an invalid body (%#)', async (body, violations) => {
    const { status, violations: found } = await api.post('/notification_topics', body);
    expect([status, [...new Set(found)].sort()]).toEqual([422, violations]);
  });

  test('reports the position of an error in an expression and a suggestion', async () => {
    const { problem } = await api.post('/notification_topics', { ...NAMED, expression: 'application.usr.id == 1' });
    expect(problem.errors?.[0]?.info).toMatch(/^1:13: .*\n.*application\.usr\.id == 1\n\s+\^/);
    expect(problem.errors?.[0]?.info).toContain('user');
  });

  test('needs the read scopes of all datapaths in its expression', async () => {
    const body = { ...NAMED, expression: 'application.user.language == "de"' };
    const token = await make.token('notifications:write', 'notifications:read', 'applications:read');
    const refused = await api.post('/notification_topics', body, { token });
    expect([refused.status, refused.problem.message]).toEqual([403, expect.stringContaining('users:read')]);
    expectStatus(
      201,
      await api.post('/notification_topics', body, {
        token: await make.token('notifications:write', 'applications:read', 'users:read'),
      }),
    );
  });
});
