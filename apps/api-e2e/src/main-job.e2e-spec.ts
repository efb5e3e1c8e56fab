import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { applyTo, openVacancy, subscribe } from './support/api-client.js';
import { bodyOf, checkSignature, Receiver } from './support/receiver.js';
import { KILLED_FLEET, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: Service;
let receiver: Receiver;

// The schedule has many attempts, because each kill of a notifier uses up the attempt that it had begun.
beforeAll(async () => {
  service = await Service.start({ DELIVERY_SCHEDULE: Array.from({ length: 11 }, () => 1).join() }, KILLED_FLEET);
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(() => receiver.stop());

describe('notifications while processes are killed and restarted', () => {
  it('are signed, and have the ids and URLs of the application whose state has changed', async () => {
    const { client } = service;
    const application = await applyTo(client, await openVacancy(client));
    const subscription = await subscribe(
      client,
      {
        type: 'STATE_CHANGE_APPLICATION',
        expression: `application.main_process_state.state.state == "interview" AND application.id == ${application.id}`,
      },
      receiver.url,
    );
    await client.put(`/applications/${application.id}/process_state`, { state: 'in_review' });
    await client.put(`/applications/${application.id}/process_state`, { state: 'interview' });

    const [message] = await receiver.receiveDistinct(1);
    if (!message) throw new Error('a message was received');
    checkSignature(message, subscription.signing_key);
    expect(message.headers['content-type']).toBe('application/json');
    expect(Number(message.headers['x-service-notify-attempt'])).toBeGreaterThanOrEqual(1);
    expect(message.headers['x-service-notify-sequence']).toBe('1');

    const body = bodyOf(message);
    const me = await client.get<{ recruiter: { id: number; url: string } }>('/me');
    expect(body).toEqual({
      message_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as unknown as string,
      timestamp: expect.stringMatching(MOMENT) as unknown as string,
      user: { id: String(me.recruiter.id), url: me.recruiter.url },
      subscription: {
        id: subscription.id,
        url: subscription.url,
        uuid: subscription.uuid,
        topic: { id: subscription.topic.id, url: subscription.topic.url, uuid: subscription.topic.uuid },
      },
      details: { id: application.id, url: application.url, state_changes: { url: `${application.url}/history` } },
    });
    expect(message.body).not.toContain('Xanthippe');

    const found = await client.get<{ process_state: { state: string } }>(body.details.url);
    expect(found.process_state.state).toBe('interview');
    const history = await client.get<{ items: { type: string; to: { state: string } }[] }>(
      `${body.details.url}/history`,
    );
    expect(history.items[0]).toMatchObject({ type: 'state_change', to: { state: 'interview' } });
    expect(receiver.distinct).toHaveLength(1);
  });

  it('have the details of every event type', async () => {
    const { client } = service;
    const types = [
      'POSTING_CREATE',
      'POSTING_UPDATE',
      'POSTING_DELETE',
      'STATE_CHANGE_APPLICATION',
      'STATE_CHANGE_OPPORTUNITY',
    ];
    const topics = await Promise.all(types.map((type) => subscribe(client, { type }, receiver.url)));
    const vacancy = await openVacancy(client);
    const application = await applyTo(client, vacancy);
    await client.put(`/applications/${application.id}/process_state`, { state: 'on_hold' });
    const board = await client.post('/job_boards', { name: 'Board', code: `board-${Date.now()}` });
    const posting = await client.post('/postings', { vacancy_id: vacancy.id, job_board_id: board.id });
    await client.put(`/postings/${posting.id}`, {
      vacancy_id: vacancy.id,
      job_board_id: board.id,
      closing_date: '2099-01-01',
    });
    await client.put(`/postings/${posting.id}`, {
      vacancy_id: vacancy.id,
      job_board_id: board.id,
      closing_date: '2099-01-01',
    });
    await client.delete(`/postings/${posting.id}`);

    await receiver.receiveDistinct(types.length);
    const byTopic = new Map(
      receiver.messages.map((message) => [(bodyOf(message).subscription['topic'] as { id: number }).id, message]),
    );
    const reference = ({ id, url }: { id: number; url: string }): object => ({ id, url });
    const postingDetails = { ...reference(posting), job_board: reference(board), vacancy: reference(vacancy) };
    const expected = [
      postingDetails,
      postingDetails,
      postingDetails,
      { ...reference(application), state_changes: { url: `${application.url}/history` } },
      { ...reference(vacancy), state_changes: { url: `${vacancy.url}/history` } },
    ];
    for (const [index, subscription] of topics.entries()) {
      const message = byTopic.get(subscription.topic.id);
      if (!message) throw new Error(`no message of type ${types[index]}`);
      checkSignature(message, subscription.signing_key);
      expect([types[index], bodyOf(message).details]).toEqual([types[index], expected[index]]);
    }
    expect(receiver.distinct).toHaveLength(types.length);
  });

  it('are sent again with the same body and a new signature until the destination accepts them', async () => {
    const { client } = service;
    const application = await applyTo(client, await openVacancy(client));
    const expression = `application.id == ${application.id}`;
    const subscription = await subscribe(client, { type: 'STATE_CHANGE_APPLICATION', expression }, receiver.url);
    let failures = 2;
    receiver.answerWith((_, response) => response.writeHead(failures-- > 0 ? 503 : 200).end());
    await client.put(`/applications/${application.id}/process_state`, { state: 'rejected' });

    const messages = await receiver.receive(3);
    for (const message of messages) checkSignature(message, subscription.signing_key);
    expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
    const attempts = messages.map(({ headers }) => Number(headers['x-service-notify-attempt']));
    expect(attempts).toEqual([...new Set(attempts)].sort((a, b) => a - b));
  });

  it('are explained for each event, with the same result as the preview of the topic', async () => {
    const { client } = service;
    const application = await applyTo(client, await openVacancy(client));
    await client.put(`/applications/${application.id}/process_state`, { state: 'in_review' });
    const topic = {
      type: 'STATE_CHANGE_APPLICATION',
      expression: `application.id == ${application.id} AND application.main_process_state.state.state == "interview"`,
    };
    const preview = await client.post<{ events: readonly { event_id: number; matched: boolean }[] }>(
      '/notification_topics/preview',
      { ...topic, limit: 1 },
    );
    expect(preview).toMatchObject({
      evaluated: 1,
      matched: 0,
      events: [{ subject: { id: application.id, url: application.url }, values: { 'application.id': application.id } }],
    });

    const subscription = await subscribe(client, topic, receiver.url);
    await client.put(`/applications/${application.id}/process_state`, { state: 'interview' });
    await receiver.receiveDistinct(1);
    const { events } = await client.post<typeof preview>('/notification_topics/preview', { ...topic, limit: 2 });
    expect(events.map(({ matched }) => matched)).toEqual([true, false]);
    const explain = (index: number): Promise<object> =>
      client.get(`/notification_topics/${subscription.topic.id}/explain?event_id=${events[index]?.event_id}`);
    await waitUntil(
      'the event counts as notified',
      100_000,
      async () => ((await explain(0)) as { notified: boolean }).notified,
    );
    expect(await explain(0)).toMatchObject({
      verdicts: ['type', 'expression', 'window', 'status', 'delivery'].map((step) => ({ step, ok: true })),
    });
    const { notified, verdicts } = (await explain(1)) as { notified: boolean; verdicts: readonly object[] };
    expect([notified, ...verdicts.slice(0, 3)]).toMatchObject([
      false,
      { step: 'type', ok: true },
      { step: 'expression', ok: false, parts: [{ result: true }, { result: false }] },
      { step: 'window', ok: false },
    ]);
  });

  it('are not sent for events that no topic expression matches', async () => {
    const { client } = service;
    const vacancy = await openVacancy(client);
    const [selected, other] = [await applyTo(client, vacancy), await applyTo(client, vacancy)];
    await subscribe(
      client,
      { type: 'STATE_CHANGE_APPLICATION', expression: `application.id == ${selected.id}` },
      receiver.url,
    );
    await client.put(`/applications/${other.id}/process_state`, { state: 'in_review' });
    await client.put(`/applications/${selected.id}/process_state`, { state: 'in_review' });
    const [message] = await receiver.receiveDistinct(1);
    expect(message && bodyOf(message).details.id).toBe(selected.id);
    expect(receiver.distinct).toHaveLength(1);
  });
});
