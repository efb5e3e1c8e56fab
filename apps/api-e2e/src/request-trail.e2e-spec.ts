// @group long: kills processes while the test traces a request
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

/** Finds the attempts that followed from a request. The README of the notifier has the same statement. */
const ATTEMPTS_OF_REQUEST = `
SELECT e.id AS event_id, d.id AS delivery_id, d.subscription_id, d.status, a.attempt, a.status_code, a.error
FROM domain_events e
JOIN notification_deliveries d ON d.event_id = e.id AND d.occurred_dt = e.occurred_dt
LEFT JOIN notification_attempts a ON a.delivery_id = d.id AND a.occurred_dt = d.occurred_dt
WHERE e.request_id = $1 ORDER BY e.id, d.id, a.attempt`;

const linesOf = (output: string, message: string): readonly Readonly<Record<string, unknown>>[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`) && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

interface AttemptRow {
  readonly event_id: string;
  readonly delivery_id: string;
  readonly subscription_id: string;
  readonly status: string;
  readonly attempt: number;
  readonly status_code: number | null;
  readonly error: string | null;
}

it('the request id links a request to each of its delivery attempts, in the log and in the database', async () => {
  const { client, database, killer } = service;
  const application = await applyTo(client, await openVacancy(client));
  const subscription = await subscribe(client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);
  receiver.answerWith((_, response) => response.writeHead(receiver.messages.length === 1 ? 500 : 204).end());

  const answer = await client.request('PUT', `/applications/${application.id}/process_state`, { state: 'interview' });
  const requestId = answer.headers.get('x-request-id');
  const readAttempts = async (): Promise<readonly AttemptRow[]> =>
    (await database.query<AttemptRow>(ATTEMPTS_OF_REQUEST, [requestId])).rows;
  await waitUntil('it is delivered', 100_000, async () => (await readAttempts()).at(-1)?.status === 'delivered');
  await killer.stop();
  const kills = killer.count('notifier', 'SIGKILL');
  const lines = (): readonly Readonly<Record<string, unknown>>[] =>
    linesOf(service.outputOf('notifier'), 'attempt finished');
  await waitUntil('both attempts are logged', 100_000, () => lines().length >= 2 - kills);

  const rows = await readAttempts();
  // The attempt of a killed notifier is stored with the error `interrupted`.
  const ended = rows.filter(({ error }) => error !== 'interrupted');
  expect(rows.length - ended.length).toBeLessThanOrEqual(kills);
  expect(rows.map(({ attempt }) => attempt)).toEqual(rows.map((_, index) => index + 1));
  const [row] = rows;
  const delivery = {
    event_id: row?.event_id,
    delivery_id: row?.delivery_id,
    subscription_id: String(subscription.id),
    status: 'delivered',
  };
  const results = [
    { status_code: 500, error: 'status' },
    { status_code: 204, error: null },
  ];
  // The answer 500 can be missing, because a notifier can be killed after it received the answer and before it stored
  // it.
  expect(ended).toEqual(
    results.slice(-ended.length).map((result) => expect.objectContaining({ ...delivery, ...result })),
  );
  expect(rows.length).toBeGreaterThanOrEqual(results.length);
  expect(rows.map(({ attempt }) => attempt)).toEqual(
    expect.arrayContaining(receiver.messages.map(({ headers }) => Number(headers['x-service-notify-attempt']))),
  );
  const ids = {
    request_id: requestId,
    event_id: Number(row?.event_id),
    delivery_id: Number(row?.delivery_id),
    subscription_id: subscription.id,
  };
  for (const line of lines()) {
    const stored = ended.find(({ attempt }) => attempt === line['attempt']);
    expect(line).toMatchObject({
      ...ids,
      status: stored?.status_code === 204 ? 'delivered' : 'due',
      status_code: stored?.status_code,
      ...(stored?.error && { error: stored.error }),
    });
  }
  const output = service.outputOf('notifier');
  expect(output).not.toContain(receiver.url);
  expect(output).not.toContain('Xanthippe');
});
