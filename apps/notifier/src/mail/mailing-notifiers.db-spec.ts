// @group long: starts several notifiers, and stops Redis
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Database } from '@ats/postgres';
import { moveClock } from '@ats/domain/testing';
import { TcpRelay } from '@ats/postgres/testing';
import { eventually } from '../../test/eventually.js';
import { readDeliveries, subscribe } from '../../test/fixtures.js';
import { addMail, addMails, type MailRow, readMails } from '../../test/mail-fixtures.js';
import { counts, get, PATIENCE_MS, useMailing } from '../../test/mailing.js';
import { addQueued } from '../../test/queued.js';
import { MAIL_HANDLE } from './mail.module.js';

const { stage, server, start, becomes } = useMailing();
let database: Database;

beforeAll(() => void ({ database } = stage));

describe('a notifier', () => {
  it('sends nothing without SMTP_URL, and only fails an e-mail that waited for more than 72 hours', async () => {
    await addMail(database, { ageHours: 71.9 });
    await addMail(database, { ageHours: 72.1 });
    await addMail(database);
    await database.query(
      `UPDATE outgoing_mails SET status = 'sending', worker = '1', lease_until_dt = now() - interval '1 day'
         WHERE id = (SELECT max(id) FROM outgoing_mails)`,
    );
    const before = await readMails(database);
    const { subscription } = await subscribe(database);
    await addQueued(database, subscription.id, 5_000);
    const app = await stage.start();
    expect(app.get(MAIL_HANDLE)).toBeNull();
    // All loops have run once the sweeper has requeued the delivery and another loop has marked the old e-mail as
    // failed.
    await eventually(async () => {
      expect(await readDeliveries(database)).not.toMatchObject([{ status: 'queued', requeues: 0 }]);
      expect((await readMails(database))[1]?.said).toBe('failed');
    });
    await eventually(async () => {
      const { warnings } = JSON.parse(await get(app, '/health/ready')) as { warnings: { code: string }[] };
      expect(warnings.map(({ code }) => code)).toEqual(['mail_off']);
    });
    await stage.stopNotifiers();
    const untouched = ({ id, status, attempts, requeues, said }: MailRow): unknown => [
      id,
      status,
      attempts,
      requeues,
      said,
    ];
    const [waiting, old, sending] = before;
    const expired = { ...old, status: 'failed', said: 'failed' } as MailRow;
    expect((await readMails(database)).map(untouched)).toEqual(
      [waiting, expired, sending].map((mail) => untouched(mail as MailRow)),
    );
    expect(await stage.redis.keys('{ntf-mail}*')).toEqual([]);
  });

  it('warns when e-mails wait too long', async () => {
    let go = (): void => undefined;
    const gone = new Promise<undefined>((resolve) => (go = () => resolve(undefined)));
    server.answer = () => gone;
    // The notifier must start before the e-mails are added: `start` waits until the queue takes jobs, and it takes none
    // while all slots are busy.
    const app = await start();
    // Adds more e-mails than there are concurrency slots, so that some e-mails wait.
    await addMails(database, 20);
    await eventually(() => expect(server.received).toHaveLength(5));
    await moveClock(database, 100_000);
    const codes = async (): Promise<readonly string[]> =>
      (JSON.parse(await get(app, '/health/ready')) as { warnings: { code: string }[] }).warnings.map(
        ({ code }) => code,
      );
    expect(await codes()).not.toContain('mail_age');
    await database.query(
      `UPDATE outgoing_mails SET next_attempt_dt = clock_timestamp() - interval '301 seconds' WHERE status = 'due'`,
    );
    await eventually(async () => expect(await codes()).toContain('mail_age'));
    go();
    await eventually(async () =>
      expect((await readMails(database)).every(({ status }) => status === 'sent')).toBe(true),
    );
  });

  it('finishes running attempts when it stops', async () => {
    let go = (): void => undefined;
    server.answer = () => new Promise((resolve) => (go = () => resolve(undefined)));
    await addMail(database);
    await start();
    await eventually(() => expect(server.received).toHaveLength(1));
    const stopped = stage.stopNotifiers();
    go();
    await stopped;
    expect(await readMails(database)).toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  it('shares e-mails with other notifiers, so that each e-mail is sent once', async () => {
    await addMails(database, 100);
    await start();
    await start();
    await addMails(database, 400);
    await eventually(
      async () => expect((await readMails(database)).filter(({ status }) => status === 'sent')).toHaveLength(500),
      240_000,
    );
    expect(server.received).toHaveLength(500);
    expect(new Set(server.messageIds).size).toBe(500);
  });

  it('sends e-mails while Redis is unavailable, and sends each e-mail with a lost job once', async () => {
    const relay = await TcpRelay.before(stage.redisUrl);
    const app = await start({ REDIS_URL: relay.url });
    await addMail(database);
    await becomes({ status: 'sent' });
    await relay.close();
    await addMail(database);
    await becomes({ status: 'sent' }, { status: 'sent' });
    await counts(app, /^ats_notifier_mails_direct_total [1-9]/m);
    await relay.open();
    await stage.whenBullWorks();
    for (let round = 0; round < 5; round++) {
      await addMails(database, 20);
      await stage.redis.flushdb();
    }
    await eventually(
      async () => expect((await readMails(database)).filter(({ status }) => status === 'sent')).toHaveLength(102),
      PATIENCE_MS,
    );
    expect(server.received).toHaveLength(102);
    await stage.stopNotifiers();
    await relay.close();
  });
});
