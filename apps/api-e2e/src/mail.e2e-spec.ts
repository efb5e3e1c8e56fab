import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Item, openVacancy } from './support/api-client.js';
import { MailServer } from './support/mail-server.js';
import { Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const RECOVERY_MS = 100_000;
const MARKUP = `<img src=x onerror="alert(1)">`;

let service: Service;
let server: MailServer;
let serial = 0;

beforeAll(async () => {
  server = await MailServer.start();
  service = await Service.start({ SMTP_URL: server.url, MAIL_FROM: 'Jobs at Example <jobs@example.com>' });
});
afterEach(() => void server.mails.splice(0));
afterAll(async () => {
  await service.stop();
  await server.stop();
});

async function applyAs(firstname: string): Promise<{ readonly application: Item; readonly email: string }> {
  serial += 1;
  const email = `zoe.${serial}@example.com`;
  const vacancy = await openVacancy(service.client);
  const application = await service.client.post('/applications', {
    opportunity_id: vacancy.id,
    candidate: { firstname, lastname: 'Quillfeather', email },
  });
  return { application, email };
}
const makeTemplate = (): Promise<Item> =>
  service.client.post('/message_templates', {
    name: 'Received',
    subject: 'Grüße, {{ application.user.firstname }}',
    body:
      '<p>Dear <b>{{ application.user.fullname }}</b>, ' +
      'thank you for applying as {{ application.opportunity.title }}.</p>',
  });
const send = (application: Item, template: Item): Promise<Item> =>
  service.client.post(`/applications/${application.id}/comms`, { template_id: template.id });
const isSent = async ({ id }: Item): Promise<boolean> =>
  (await service.client.get(`/communications/${id}`))['status'] === 'sent';
async function sentOf({ id }: Item): Promise<readonly object[]> {
  const { items } = await service.client.get<{ items: readonly { type: string }[] }>(`/applications/${id}/history`);
  return items.filter(({ type }) => type === 'comm_sent');
}

/**
 * Expects one e-mail. It may have a copy with the same message id for each notifier that was killed after the e-mail
 * was written.
 * @param killsBefore  number of kills of notifiers before the e-mail was written
 */
function expectOneMail(killsBefore: number): void {
  expect(new Set(server.mails.map(({ mail }) => mail.messageId)).size).toBe(1);
  expect(server.mails.length).toBeLessThanOrEqual(1 + service.killer.count('notifier', 'SIGKILL') - killsBefore);
}

describe('a message from a template', () => {
  it('arrives as an e-mail with escaped values in the HTML part, and the API shows it as sent', async () => {
    const { application, email } = await applyAs(MARKUP);
    const killsBefore = service.killer.count('notifier', 'SIGKILL');
    const communication = await send(application, await makeTemplate());
    const [received] = await server.receive(1);
    expect(received?.to).toEqual([email]);
    expect(received?.mail).toMatchObject({
      from: { name: 'Jobs at Example', address: 'jobs@example.com' },
      to: [{ address: email }],
      subject: `Grüße, ${MARKUP}`,
    });
    expect(received?.mail.html).toContain('<p>Dear <b>&lt;img src=x onerror=');
    expect(received?.mail.html).not.toContain('<img');
    expect(received?.mail.text?.trim()).toBe(`Dear ${MARKUP} Quillfeather, thank you for applying as Gardener.`);
    await waitUntil('the communication is sent', RECOVERY_MS, () => isSent(communication));
    expect(await service.client.get(`/communications/${communication.id}`)).toMatchObject({
      status: 'sent',
      failed_reason: null,
      sent_dt: expect.any(String) as unknown as string,
    });
    expect(await sentOf(application)).toMatchObject([
      { type: 'comm_sent', changes: [{ path: '/communication', old: null, new: { id: communication.id } }] },
    ]);
    expectOneMail(killsBefore);
  });

  it('arrives when the notifier is killed before it reads the communication', async () => {
    const { application } = await applyAs('Xanthippe');
    const template = await makeTemplate();
    await service.endNotifiers('SIGKILL');
    const killsBefore = service.killer.count('notifier', 'SIGKILL');
    const communication = await send(application, template);
    expect(communication['status']).toBe('queued');
    await service.startNotifiers();
    await server.receive(1, RECOVERY_MS);
    await waitUntil('the communication is sent', RECOVERY_MS, () => isSent(communication));
    expectOneMail(killsBefore);
  });

  it('is sent again with the same message id when the notifier is killed before it stores the status', async () => {
    const { application } = await applyAs('Xanthippe');
    const template = await makeTemplate();
    const reader = await service.database.connect();
    let communication: Item;
    let sentBefore: number;
    try {
      await reader.query('BEGIN');
      // The lock blocks only the history entry that the notifier adds for the sent e-mail. The client can still create
      // the communication.
      await reader.query('LOCK TABLE history_entries IN SHARE MODE');
      communication = await send(application, template);
      await server.receive(1);
      await service.endNotifiers('SIGKILL');
      sentBefore = server.mails.length;
    } finally {
      await reader.query('ROLLBACK');
      reader.release();
    }
    expect(await isSent(communication)).toBe(false);
    await service.startNotifiers();
    await server.receive(sentBefore + 1, RECOVERY_MS);
    expect(new Set(server.mails.map(({ mail }) => mail.messageId)).size).toBe(1);
    await waitUntil('the communication is sent', RECOVERY_MS, () => isSent(communication));
    expect(await sentOf(application)).toHaveLength(1);
  });
});
