// @group sample: npm test runs a quarter of its tests
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteOldAlertMails, disableSubscription, enableSubscription } from '@ats/domain';
import { TestAttempts } from '../../test/attempts.js';
import { eventually } from '../../test/eventually.js';
import { addRecruiters, BY_NOTIFIER } from '../../test/fixtures.js';
import { counts, PATIENCE_MS, useMailing } from '../../test/mailing.js';
import { Refusal } from '../../test/mail-server.js';

const OWNER = 800;

const { stage, server, start, passSchedule } = useMailing();
const attempts = new TestAttempts(stage);

/** Makes a subscription whose endpoint sends e-mails to its owner, with a running attempt. */
async function subscribed(more = `owner_id = ${OWNER}, emails_owner = true`): ReturnType<typeof attempts.sending> {
  const sending = await attempts.sending(500);
  await stage.database.query(
    `UPDATE notification_endpoints SET name = 'Pay & roll', ${more}
     WHERE id = (SELECT endpoint_id FROM notification_subscriptions WHERE id = $1)`,
    [attempts.subscriptionId],
  );
  return sending;
}
const disable = (): Promise<void> =>
  stage.database.transaction((transaction) =>
    disableSubscription(transaction, attempts.subscriptionId, 'requested', BY_NOTIFIER),
  );
const enable = (): Promise<void> =>
  stage.database.transaction((transaction) => enableSubscription(transaction, attempts.subscriptionId));

interface AlertRow {
  readonly alert_type: string;
  readonly status: string;
  readonly attempts: number;
}
const readAlerts = (): Promise<AlertRow[]> =>
  stage.database.query('SELECT alert_type, status, attempts FROM outgoing_mails ORDER BY id');
const become = (...rows: readonly Partial<AlertRow>[]): Promise<void> =>
  eventually(async () => expect(await readAlerts()).toMatchObject(rows), PATIENCE_MS);
const setOwner = (values: string): Promise<unknown> =>
  stage.database.query(`UPDATE users SET ${values} WHERE id = ${OWNER}`);

beforeAll(() => addRecruiters(stage.database, OWNER));
beforeEach(() => setOwner('is_active = true, language = NULL'));

describe('an e-mail to the owner of an endpoint', () => {
  it('is sent once for each change: disabled, recovered, exhausted', async () => {
    const app = await start();
    await subscribed();
    await disable();
    await disable();
    await become({ alert_type: 'SUBSCRIPTION_DISABLED', status: 'sent' });
    const { mail, envelope } = server.only;
    expect(envelope.to).toEqual([`${OWNER}@example.com`]);
    expect(mail.subject).toBe(`Subscription ${attempts.subscriptionId} is disabled`);
    expect(mail.text).toContain('the endpoint "Pay & roll" was disabled');
    const path = `/api/v1/notification_topics/${attempts.topicId}/subscriptions/${attempts.subscriptionId}`;
    expect(mail.html).toContain(path);
    expect(mail.html).not.toContain('receiver.example.com');
    await enable();
    await attempts.finish(await attempts.another(204));
    await attempts.finish(await attempts.another(204));
    await attempts.finish(await attempts.another(500), null);
    await become(
      {},
      { alert_type: 'SUBSCRIPTION_RECOVERED', status: 'sent' },
      { alert_type: 'DELIVERY_EXHAUSTED', status: 'sent' },
    );
    await counts(app, /^ats_notifier_mails_settled_total\{status="sent"\} 3$/m);
  });

  it('reports exhausted deliveries of a subscription at most once an hour', async () => {
    await subscribed();
    for (let count = 0; count < 3; count++) await attempts.finish(await attempts.another(500), null);
    expect(await readAlerts()).toHaveLength(1);
    await stage.database.query(`UPDATE outgoing_mails SET created_dt = created_dt - interval '1 hour'`);
    await attempts.finish(await attempts.another(500), null);
    expect(await readAlerts()).toHaveLength(2);
  });

  it('reports a recovery only after an e-mail that reported the failure', async () => {
    await subscribed();
    const recover = async (): Promise<void> => {
      await stage.database.query('UPDATE notification_subscriptions SET troubled_dt = now() WHERE id = $1', [
        attempts.subscriptionId,
      ]);
      await attempts.finish(await attempts.another(204));
    };
    await recover();
    expect(await readAlerts()).toEqual([]);
    await attempts.finish(await attempts.another(500), null);
    await recover();
    await recover();
    expect((await readAlerts()).map(({ alert_type }) => alert_type)).toEqual([
      'DELIVERY_EXHAUSTED',
      'SUBSCRIPTION_RECOVERED',
    ]);
  });

  it('about a disabled subscription is cancelled when the subscription was enabled before the e-mail was sent', async () => {
    await subscribed();
    await disable();
    await enable();
    await start();
    await become({ alert_type: 'SUBSCRIPTION_DISABLED', status: 'cancelled', attempts: 0 });
    expect(server.received).toEqual([]);
  });

  it.each([
    ['asks for none', `owner_id = ${OWNER}`],
    ['has no owner', 'owner_id = NULL, emails_owner = true'],
  ])('is not queued when the endpoint %s', async (_, values) => {
    await subscribed(values);
    await disable();
    expect(await readAlerts()).toEqual([]);
  });

  it('is not queued for an owner who is not active, and is cancelled when that changes before it is sent', async () => {
    await subscribed();
    await disable();
    await setOwner('is_active = false');
    await enable();
    await disable();
    expect(await readAlerts()).toHaveLength(1);
    await start();
    await become({ status: 'cancelled', attempts: 0 });
    expect(server.received).toEqual([]);
  });

  it('is in the language of the owner', async () => {
    await setOwner(`language = 'ar'`);
    await subscribed();
    await disable();
    await start();
    await become({ status: 'sent' });
    expect(server.only.mail.html).toContain('<div lang="ar" dir="rtl">');
  });

  it('is sent again after a refusal that is not final, and not lost when the change is rolled back and repeated', async () => {
    await subscribed();
    const rolledBack = stage.database.transaction(async (transaction) => {
      await disableSubscription(transaction, attempts.subscriptionId, 'requested', BY_NOTIFIER);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await readAlerts()).toEqual([]);
    await disable();
    server.answer = () => (server.received.length === 1 ? new Refusal(451, '4.3.0 try again') : undefined);
    await start({ MAIL_SCHEDULE: [60, 60] });
    await become({ status: 'due', attempts: 1 });
    await passSchedule();
    await become({ status: 'sent', attempts: 2 });
    expect(new Set(server.received.map(({ mail }) => mail.messageId)).size).toBe(1);
  });

  it('is deleted after its storage period, and with its subscription', async () => {
    await subscribed();
    await disable();
    expect(await deleteOldAlertMails(stage.database, 30, 100)).toBe(0);
    await stage.database.query(
      `UPDATE outgoing_mails SET status = 'sent', finished_dt = clock_timestamp() - interval '31 days'`,
    );
    expect(await deleteOldAlertMails(stage.database, 30, 100)).toBe(1);
    await enable();
    await disable();
    await stage.database.query('DELETE FROM notification_topics WHERE id = $1', [attempts.topicId]);
    expect(await readAlerts()).toEqual([]);
  });
});
