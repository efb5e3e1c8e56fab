// @group sample: npm test runs a quarter of its tests
import { afterEach, describe, expect, it } from '@jest/globals';
import { enableSubscription, type EventType } from '@ats/domain';
import { verify, verifyStandardWebhook } from '@ats/webhook-signing';
import { eventually } from '../../test/eventually.js';
import { BASE_URL, readAttempts, readDeliveries, recordEvent, subscribe } from '../../test/fixtures.js';
import { Receiver, useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
const receiver = useReceiver();

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});

/** The options for a check of signatures. They accept signatures as old as the longest test. */
const tolerance = () => ({ toleranceSeconds: 600, now: new Date() });

describe('a delivered notification', () => {
  it('is a signed POST of the minified message with all headers', async () => {
    const { topic, subscription, signingKey } = await subscribe(stage.database, { url: `${receiver.url}?a=1` });
    await stage.start();
    await recordEvent(stage.database, {
      subjectId: 7,
      recruiterId: 3,
      occurred: new Date(subscription.created_dt.getTime() + 5),
    });
    await stage.wake();
    const [request] = await eventually(() => (expect(receiver.requests).toHaveLength(1), receiver.requests));
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1' });
    const messageId = String(request?.message['message_id']);
    expect(request?.message).toEqual({
      message_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      timestamp: new Date(subscription.created_dt.getTime() + 5).toISOString(),
      user: { id: '3', url: `${BASE_URL}/api/v1/recruiters/3` },
      subscription: {
        id: subscription.id,
        url: `${BASE_URL}/api/v1/notification_topics/${topic.id}/subscriptions/${subscription.id}`,
        uuid: subscription.uuid,
        topic: { url: `${BASE_URL}/api/v1/notification_topics/${topic.id}`, uuid: topic.uuid, id: topic.id },
      },
      details: {
        id: 7,
        url: `${BASE_URL}/api/v1/vacancy_applications/7`,
        state_changes: { url: `${BASE_URL}/api/v1/vacancy_applications/7/history` },
      },
    });
    expect(request?.body).toBe(JSON.stringify(request?.message));
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.any(String),
      'x-service-notify-attempt': '1',
      'x-service-notify-sequence': '1',
      'x-service-notify-type': 'STATE_CHANGE_APPLICATION',
      'webhook-id': messageId,
    });
    const header = request?.headers['x-service-notify-signature'] as string;
    expect(header).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,[0-9a-f]{64}$/);
    verify({ ...tolerance(), body: request?.body ?? '', headers: request?.headers ?? {}, keys: [signingKey] });
    verifyStandardWebhook({
      ...tolerance(),
      body: request?.body ?? '',
      headers: request?.headers ?? {},
      keys: [signingKey],
    });
    expect(request?.headers).not.toHaveProperty('x-service-notify-signature-next');
  });

  it.each<[EventType, Record<string, unknown>, string]>([
    ['STATE_CHANGE_APPLICATION', { 'application.app_type': 'event_application' }, 'event_applications/7'],
    ['STATE_CHANGE_OPPORTUNITY', { 'opportunity.kind': 'vacancy' }, 'vacancies/7'],
    ['STATE_CHANGE_OPPORTUNITY', { 'opportunity.kind': 'event' }, 'events/7'],
  ])('has links to the subject and its history for the type %s and the values %j', async (type, facts, path) => {
    await subscribe(stage.database, { type, url: receiver.url });
    await stage.start();
    await recordEvent(stage.database, { type, facts });
    await stage.wake();
    const url = `${BASE_URL}/api/v1/${path}`;
    await eventually(() =>
      expect(receiver.requests[0]?.message['details']).toEqual({
        id: 7,
        url,
        state_changes: { url: `${url}/history` },
      }),
    );
  });

  it.each<EventType>(['POSTING_CREATE', 'POSTING_UPDATE', 'POSTING_DELETE'])(
    'contains the job board and the vacancy for the type %s',
    async (type) => {
      await subscribe(stage.database, { type, url: receiver.url });
      await stage.start();
      await recordEvent(stage.database, { type });
      await stage.wake();
      await eventually(() =>
        expect(receiver.requests[0]?.message['details']).toEqual({
          id: 7,
          url: `${BASE_URL}/api/v1/postings/7`,
          job_board: { id: 11, url: `${BASE_URL}/api/v1/job_boards/11` },
          vacancy: { id: 12, url: `${BASE_URL}/api/v1/vacancies/12` },
        }),
      );
    },
  );

  it('stores an attempt with the request and the answer', async () => {
    receiver.respond = (_, response) => void response.writeHead(202, { 'x-answer': 'yes' }).end('thank\0you');
    await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([{ status: 'delivered', last_status_code: 202 }]),
    );
    const [attempt] = await readAttempts(stage.database);
    expect(attempt).toMatchObject({
      attempt: 1,
      state: 'done',
      status_code: 202,
      error: null,
      response_excerpt: 'thank\ufffdyou',
      is_truncated: false,
    });
    expect(attempt?.duration_ms).toBeGreaterThanOrEqual(0);
    expect(attempt?.request_headers?.['x-service-notify-signature']).toBe(
      receiver.requests[0]?.headers['x-service-notify-signature'],
    );
  });
});

describe('a failed attempt', () => {
  it('is repeated as the same message with a new signature and number until the schedule is exhausted', async () => {
    receiver.respond = (_, response) => void response.writeHead(500).end('broken');
    const { signingKey } = await subscribe(stage.database, { url: receiver.url });
    await stage.start({ DELIVERY_SCHEDULE: [0, 0] });
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([{ status: 'exhausted', attempts: 3, failures: 3 }]),
    );
    expect(receiver.requests.map(({ headers }) => headers['x-service-notify-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of receiver.requests) {
      verify({ ...tolerance(), body, headers, keys: [signingKey] });
    }
    expect(await readAttempts(stage.database)).toMatchObject([
      { attempt: 1, status_code: 500, error: 'status', response_excerpt: 'broken' },
      { attempt: 2, status_code: 500 },
      { attempt: 3, status_code: 500 },
    ]);
  });

  it.each([
    ['after a 4xx by the schedule', 404, {}, 60_000, 72_000],
    ['after the delay that the destination requests', 503, { 'retry-after': '3600' }, 3_600_000, 3_600_000],
    ['after the scheduled delay when the destination requests less', 429, { 'retry-after': '1' }, 60_000, 72_000],
    ['after one day at most', 429, { 'retry-after': '999999999' }, 86_400_000, 86_400_000],
  ])('is repeated %s', async (_, status, headers, least, most) => {
    receiver.respond = (_request, response) => void response.writeHead(status, headers).end();
    await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    const since = performance.now();
    await recordEvent(stage.database);
    await stage.wake();
    const [delivery] = await eventually(async () => {
      const rows = await readDeliveries(stage.database);
      expect(rows).toMatchObject([
        { status: 'due', attempts: 1, failures: 1, last_status_code: status, last_error: 'status' },
      ]);
      return rows;
    });
    // The remaining wait is shorter than the delay, because time has passed since the attempt. Destinations get whole
    // seconds.
    expect(delivery?.wait_ms).toBeGreaterThanOrEqual(least - (performance.now() - since) - 1_000);
    expect(delivery?.wait_ms).toBeLessThanOrEqual(most);
  });

  it('does not follow a redirect', async () => {
    const elsewhere = await Receiver.start();
    receiver.respond = (_, response) => void response.writeHead(307, { location: elsewhere.url }).end();
    await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([
        { status: 'due', last_status_code: 307, last_error: 'redirect' },
      ]),
    );
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });

  it('never reaches a private address by default', async () => {
    await subscribe(stage.database, { url: receiver.url });
    await stage.start({ ALLOW_PRIVATE_DESTINATIONS: false });
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([
        { status: 'due', failures: 1, last_error: 'blocked' },
      ]),
    );
    expect(receiver.requests).toEqual([]);
  });

  it('does not count in the schedule when the error is inside the notifier', async () => {
    await subscribe(stage.database, { url: receiver.url });
    await stage.start({ SECRET_KEY: 'another secret key of more than 32 characters' });
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([{ status: 'due', attempts: 1, failures: 0 }]),
    );
    expect(receiver.requests).toEqual([]);
  });
});

describe('an answer with status 410', () => {
  it('disables the subscription and holds its deliveries until it is enabled', async () => {
    receiver.respond = (_, response) => void response.writeHead(410).end();
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    await recordEvent(stage.database, { subjectId: 1 });
    await stage.wake();
    await eventually(async () => expect(await readDeliveries(stage.database)).toMatchObject([{ status: 'held' }]));
    await recordEvent(stage.database, { subjectId: 2 });
    await stage.wake();
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([{ status: 'held' }, { status: 'held', sequence: 2 }]),
    );
    const [row] = await stage.database.query<{ disabled_reason: string }>(
      'SELECT disabled_reason FROM notification_subscriptions',
    );
    expect(row).toEqual({ disabled_reason: 'gone' });
    expect(receiver.requests).toHaveLength(1);

    receiver.respond = (_, response) => void response.writeHead(200).end();
    await stage.database.transaction((transaction) => enableSubscription(transaction, subscription.id));
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]),
    );
    expect(receiver.requests.map(({ message }) => message['message_id'])).toHaveLength(3);
    expect(receiver.requests[1]?.body).toBe(receiver.requests[0]?.body);
  });

  it('releases held deliveries in the order of their sequence, before later deliveries', async () => {
    receiver.respond = (_, response) => void response.writeHead(410).end();
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    for (let subjectId = 1; subjectId <= 10; subjectId++) {
      await recordEvent(stage.database, { subjectId });
      await stage.wake();
      await eventually(async () =>
        expect((await readDeliveries(stage.database)).map(({ status }) => status)).toEqual(
          Array<string>(subjectId).fill('held'),
        ),
      );
    }
    receiver.requests.length = 0;
    receiver.respond = (_, response) => void response.writeHead(200).end();
    await stage.database.transaction((transaction) => enableSubscription(transaction, subscription.id));
    await recordEvent(stage.database, { subjectId: 11 });
    await stage.wake();
    await eventually(() => expect(receiver.requests).toHaveLength(11));
    expect(receiver.requests.map(({ headers }) => Number(headers['x-service-notify-sequence']))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });
});
