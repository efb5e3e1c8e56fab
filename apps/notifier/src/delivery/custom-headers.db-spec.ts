// @group sample: npm test runs a quarter of its tests
import { afterEach, describe, expect, it } from '@jest/globals';
import { CUSTOM_HEADERS_PURPOSE, insertPing, replaceCustomHeaders, SecretBox } from '@ats/domain';
import { eventually } from '../../test/eventually.js';
import {
  addRecruiters,
  BASE_URL,
  readDeliveries,
  recordEvent,
  SECRET_KEY,
  secretBox,
  subscribe,
} from '../../test/fixtures.js';
import { useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
const receiver = useReceiver();
const ofHeaders = new SecretBox(SECRET_KEY, CUSTOM_HEADERS_PURPOSE);
const SECRET = 'Bearer a-secret-of-the-receiver';
const HEADERS = { authorization: SECRET, 'x-api-key': 'another secret value' };

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});

async function endpointOf(subscriptionId: number): Promise<{ readonly id: number; readonly sealed: Buffer | null }> {
  const [row] = await stage.database.query<{ id: number; sealed: Buffer | null }>(
    `SELECT e.id, e.sealed_headers AS sealed FROM notification_endpoints e
     JOIN notification_subscriptions s ON s.endpoint_id = e.id WHERE s.id = $1`,
    [subscriptionId],
  );
  if (!row) throw new Error('the test found no row of its subscription');
  return row;
}

async function setHeaders(subscriptionId: number, headers: Readonly<Record<string, string>>): Promise<void> {
  const { id } = await endpointOf(subscriptionId);
  await stage.database.transaction((transaction) =>
    replaceCustomHeaders(transaction, id, headers, {
      ofSecret: ofHeaders,
      ofSigningKeys: secretBox,
      keepsSecret: true,
    }),
  );
}

const delivered = (count: number): Promise<void> =>
  eventually(async () => {
    const statuses = (await readDeliveries(stage.database)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: count }, () => 'delivered'));
  });

describe('custom headers of an endpoint', () => {
  it('are sent with every attempt and test message, and are logged without their values', async () => {
    await addRecruiters(stage.database, 1);
    const { topic, subscription } = await subscribe(stage.database, { url: receiver.url });
    await setHeaders(subscription.id, HEADERS);
    await stage.start();
    await recordEvent(stage.database, { subjectId: 1 });
    await stage.database.transaction((transaction) =>
      insertPing(transaction, { topicId: topic.id, id: subscription.id }, { recruiterId: 1, baseUrl: BASE_URL }),
    );
    await stage.wake();
    await delivered(2);
    for (const { headers } of receiver.requests) expect(headers).toMatchObject(HEADERS);
    const attempts = await stage.database.query<{ request_headers: Readonly<Record<string, string>>; text: string }>(
      'SELECT request_headers, a::text AS text FROM notification_attempts a',
    );
    expect(attempts).toHaveLength(2);
    for (const { request_headers: logged, text } of attempts) {
      expect(logged).toMatchObject({ authorization: '***', 'x-api-key': '***', 'content-type': 'application/json' });
      for (const value of Object.values(HEADERS)) expect(text).not.toContain(value);
    }
  });

  it('are no longer sent after they are removed', async () => {
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    await setHeaders(subscription.id, HEADERS);
    await setHeaders(subscription.id, { 'x-other': 'kept' });
    await stage.start();
    await recordEvent(stage.database, { subjectId: 1 });
    await stage.wake();
    await delivered(1);
    const [request] = receiver.requests;
    expect(request?.headers).toMatchObject({ 'x-other': 'kept' });
    for (const name of Object.keys(HEADERS)) expect(request?.headers).not.toHaveProperty(name);
  });

  it('delay the message while they cannot be decrypted: it is not sent without them', async () => {
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    await setHeaders(subscription.id, HEADERS);
    const { id, sealed } = await endpointOf(subscription.id);
    const store = (value: Buffer | null): Promise<unknown> =>
      stage.database.query('UPDATE notification_endpoints SET sealed_headers = $2 WHERE id = $1', [id, value]);
    await store(ofHeaders.seal('{}', 'endpoint:0'));
    await stage.start();
    await recordEvent(stage.database, { subjectId: 1 });
    await stage.wake();
    await eventually(async () => {
      const states = await stage.database.query('SELECT state FROM notification_attempts');
      expect(states).toContainEqual({ state: 'interrupted' });
    });
    expect(receiver.requests).toEqual([]);
    await store(sealed);
    await stage.wake();
    await delivered(1);
    expect(receiver.requests[0]?.headers).toMatchObject(HEADERS);
  });
});
