import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { applyTo, type Item, openVacancy, subscribe } from './support/api-client.js';
import { expectLines, linesOf, type LogLine } from './support/log-lines.js';
import { MailServer } from './support/mail-server.js';
import { Receiver } from './support/receiver.js';
import { Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const WAIT_MS = 100_000;

let service: Service;
let receiver: Receiver;
let mailServer: MailServer;

beforeAll(async () => {
  [receiver, mailServer] = await Promise.all([Receiver.start(), MailServer.start()]);
  service = await Service.start({ SMTP_URL: mailServer.url, DELIVERY_SCHEDULE: '1,1' });
});
beforeEach(() => service.resumeKilling());
afterAll(async () => {
  await service.stop();
  await Promise.all([receiver.stop(), mailServer.stop()]);
});

const notifierLines = (requestId: string): readonly LogLine[] => linesOf(service.outputOf('notifier'), requestId);

describe('the request id', () => {
  it('is in the log lines of the request, the matching and each attempt, and in the list of deliveries', async () => {
    const { client, killer } = service;
    const application = await applyTo(client, await openVacancy(client));
    const subscription = await subscribe(
      client,
      { type: 'STATE_CHANGE_APPLICATION', expression: `application.id == ${application.id}` },
      receiver.url,
    );
    let failures = 1;
    receiver.answerWith((_, response) => response.writeHead(failures-- > 0 ? 503 : 200).end());
    const requestId = `follow-${application.id}`;
    await client.request(
      'PUT',
      `/applications/${application.id}/process_state`,
      { state: 'in_review' },
      { 'x-request-id': requestId },
    );
    type Delivery = {
      readonly id: number;
      readonly event_id: number;
      readonly request_id: string;
      readonly status: string;
    };
    const deliveries = (): Promise<readonly Delivery[]> =>
      client.get<readonly Delivery[]>(`${subscription.url}/deliveries`);
    await waitUntil('it is delivered', WAIT_MS, async () => (await deliveries())[0]?.status === 'delivered');
    await killer.stop();
    const [apiKills, notifierKills] = [killer.count('api', 'SIGKILL'), killer.count('notifier', 'SIGKILL')];
    await waitUntil('the last attempt is logged', WAIT_MS, () => notifierLines(requestId).length >= 3 - notifierKills);
    await waitUntil(
      'the request is logged',
      WAIT_MS,
      () => linesOf(service.outputOf('api'), requestId).length >= 1 - apiKills,
    );

    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ request_id: requestId, status: 'delivered' });
    expectLines(
      linesOf(service.outputOf('api'), requestId),
      [
        {
          level: 'info',
          app: 'api',
          msg: 'request',
          method: 'PUT',
          route: '/api/v1/applications/:id/process_state',
          params: { id: application.id },
          status: 200,
        },
      ],
      apiKills,
    );
    const attempt = {
      app: 'notifier',
      msg: 'attempt finished',
      delivery_id: delivery?.id,
      event_id: delivery?.event_id,
      subscription_id: subscription.id,
    };
    expectLines(
      notifierLines(requestId),
      [
        {
          level: 'debug',
          msg: 'an event was matched',
          event_id: delivery?.event_id,
          event_type: 'STATE_CHANGE_APPLICATION',
        },
        { ...attempt, level: 'warn', attempt: 1, status: 'due', status_code: 503, error: 'status' },
        { ...attempt, level: 'info', attempt: 2, status: 'delivered', status_code: 200 },
      ],
      notifierKills,
    );
  });

  it('is in the log line of each attempt to send an e-mail of the request', async () => {
    const { client, killer } = service;
    const application = await applyTo(client, await openVacancy(client));
    const requestId = `follow-mail-${application.id}`;
    const answer = await client.request(
      'POST',
      `/applications/${application.id}/comms`,
      { subject: 'Received', body: '<p>Thank you</p>' },
      { 'x-request-id': requestId },
    );
    const { id } = (await answer.json()) as Item;
    const isSent = async (): Promise<boolean> => (await client.get(`/communications/${id}`))['status'] === 'sent';
    await waitUntil('it is sent', WAIT_MS, isSent);
    await killer.stop();
    const kills = killer.count('notifier', 'SIGKILL');
    await waitUntil('the attempt is logged', WAIT_MS, () => notifierLines(requestId).length >= 1 - kills);
    expectLines(
      notifierLines(requestId),
      [{ level: 'info', app: 'notifier', communication_id: id, attempt: 1, status: 'sent' }],
      kills,
    );
  });
});
