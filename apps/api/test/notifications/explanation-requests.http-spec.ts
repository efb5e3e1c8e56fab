import { describe, expect, test } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { raise, match, makeTopic } from './explained-events.js';

const { api, make } = useApi();

describe('a request for an explanation', () => {
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
  ])('is rejected with the query "%s"', async (query, violations) => {
    const { id } = await make.topic();
    const answer = await api.get(`/notification_topics/${id}/explain?${query}`);
    expect([answer.status, [...answer.violations].sort()]).toEqual([400, violations]);
  });

  test('needs an existing topic and event', async () => {
    const eventId = await raise(api, make, 'Ann');
    expect((await api.get(`/notification_topics/999999/explain?event_id=${eventId}`)).status).toBe(404);
    expect((await api.get(`/notification_topics/${(await make.topic()).id}/explain?event_id=999999`)).status).toBe(404);
  });

  test('needs the read scopes of the expression that the topic had at the time of the event', async () => {
    const { topic } = await makeTopic(make, 'application.user.language == "en"');
    const eventId = await raise(api, make, 'Ann');
    await match(api, eventId);
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
