import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { applyTo, openVacancy, subscribe } from './support/api-client.js';
import { Receiver } from './support/receiver.js';
import { Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start({ DELIVERY_SCHEDULE: '0,0' });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

/** From a request to its attempts. The same statement as in the README of the notifier. */
const FOLLOW = `
SELECT e.id AS event_id, d.id AS delivery_id, d.subscription_id, d.status, a.attempt, a.status_code, a.error
FROM domain_events e
JOIN notification_deliveries d ON d.event_id = e.id AND d.occurred_dt = e.occurred_dt
LEFT JOIN notification_attempts a ON a.delivery_id = d.id AND a.occurred_dt = d.occurred_dt
WHERE e.request_id = $1 ORDER BY e.id, d.id, a.attempt`;

const linesOf = (output: string, message: string): readonly Readonly<Record<string, unknown>>[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('an operator goes from a request to each attempt that it led to, in the log and in the database', async () => {
  const { client, database, notifier } = service;
  const application = await applyTo(client, await openVacancy(client));
  const subscription = await subscribe(client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);
  receiver.answerWith((_, response) => response.writeHead(receiver.messages.length === 1 ? 500 : 204).end());

  const answer = await client.request('PUT', `/applications/${application.id}/process_state`, { state: 'interview' });
  const requestId = answer.headers.get('x-request-id');
  await receiver.receive(2);
  await waitUntil('both attempts are logged', 30_000, () => linesOf(notifier.output, 'attempt finished').length === 2);

  const { rows } = await database.query<{ event_id: string; delivery_id: string }>(FOLLOW, [requestId]);
  const [row] = rows;
  const delivery = { event_id: row?.event_id, delivery_id: row?.delivery_id, subscription_id: String(subscription.id), status: 'delivered' };
  expect(rows).toEqual([
    { ...delivery, attempt: 1, status_code: 500, error: 'status' },
    { ...delivery, attempt: 2, status_code: 204, error: null },
  ]);
  const ids = { request_id: requestId, event_id: Number(row?.event_id), delivery_id: Number(row?.delivery_id), subscription_id: subscription.id };
  expect(linesOf(notifier.output, 'attempt finished')).toEqual([
    expect.objectContaining({ ...ids, attempt: 1, status: 'due', status_code: 500, error: 'status' }),
    expect.objectContaining({ ...ids, attempt: 2, status: 'delivered', status_code: 204 }),
  ]);
  expect(notifier.output).not.toContain(receiver.url);
  expect(notifier.output).not.toContain('Xanthippe');
});
