// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelMails } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { moveClock } from '@ats/domain/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@ats/postgres/testing';
import { eventually } from '../../test/eventually.js';
import { addMail, addMails, readMails } from '../../test/mail-fixtures.js';
import { MailServer, Refusal } from '../../test/mail-server.js';
import { counts, get, PATIENCE_MS, sendingBy, useMailing } from '../../test/mailing.js';
import { STORE_FOR_MS } from '../loops/keep-trying.js';
import { MAIL_LEASE_SECONDS } from './store/mail-job.js';

const { stage, server, start, becomes, passSchedule } = useMailing();
let database: Database;
const servers: MailServer[] = [];

beforeAll(() => void ({ database } = stage));
afterEach(() => Promise.all(servers.splice(0).map((one) => one.stop())));

describe('an e-mail', () => {
  it('is sent soon after its communication was written, and both get the status sent', async () => {
    const app = await start();
    await addMail(database, {
      to: ['ana@example.com'],
      subject: 'Hello',
      body: '<p>A &amp; B &lt;i&gt;</p>',
      bodyPlain: 'A & B <i>',
    });
    await becomes({ status: 'sent', attempts: 1, last_error: null, said: 'sent', failed_reason: null });
    const [row] = await readMails(database);
    const { mail, envelope } = server.only;
    expect(envelope).toEqual({ from: 'no-reply@ats.example.com', to: ['ana@example.com'] });
    expect(mail.messageId).toBe(`<${row?.message_id}@ats.example.com>`);
    expect([mail.subject, mail.html?.trim(), mail.text?.trim()]).toEqual([
      'Hello',
      '<p>A &amp; B &lt;i&gt;</p>',
      'A & B <i>',
    ]);
    expect(row?.sent_dt).toBeInstanceOf(Date);
    expect(row?.finished_dt).toBeInstanceOf(Date);
    await counts(
      app,
      /^ats_notifier_mail_attempts_total\{outcome="success"\} 1$/m,
      /^ats_notifier_mails_settled_total\{status="sent"\} 1$/m,
      /^ats_notifier_oldest_due_mail_age_seconds 0$/m,
      /^ats_notifier_bull_jobs\{lane="mail",state="waiting"\} 0$/m,
    );
    const metrics = await get(app, '/metrics');
    const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
    const names = [...metrics.matchAll(/^# TYPE ats_notifier_(\w*mail\w*)/gm)].map(([, name]) => name);
    expect(names).toHaveLength(8);
    expect(names.filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
  });

  it('has MAIL_FROM as its sender', async () => {
    await start({ MAIL_FROM: { name: 'Jobs', address: 'jobs@example.com' } });
    await addMail(database);
    await becomes({ status: 'sent' });
    expect(server.only.mail.from).toEqual({ name: 'Jobs', address: 'jobs@example.com' });
  });

  it('is sent again by the schedule with the same message id after a temporary rejection', async () => {
    server.answer = () => new Refusal(451, '4.7.1 greylisted');
    await start();
    const since = performance.now();
    await addMail(database);
    await becomes({ status: 'due', attempts: 1, last_error: 'deferred 451 4.7.1', said: 'queued' });
    const [row] = await readMails(database);
    // The remaining delay is shorter than the full one, because some time has passed since the attempt.
    expect(row?.wait_ms).toBeGreaterThan(60_000 - (performance.now() - since) - 1_000);
    expect(row?.wait_ms).toBeLessThanOrEqual(72_000);
    server.answer = () => undefined;
    await passSchedule();
    await becomes({ status: 'sent', attempts: 2, last_error: null, said: 'sent' });
    expect(server.messageIds).toEqual([server.messageIds[0], server.messageIds[0]]);
  });

  it('fails at once when the server rejects it permanently', async () => {
    server.answerRecipient = (address) =>
      address === 'gone@example.com' ? new Refusal(550, '5.1.1 no such user') : undefined;
    const app = await start();
    await addMail(database, { to: ['gone@example.com'] });
    await addMail(database);
    await becomes(
      {
        status: 'failed',
        attempts: 1,
        last_error: 'rejected 550 5.1.1',
        said: 'failed',
        failed_reason: 'rejected',
        sent_dt: null,
      },
      { status: 'sent' },
    );
    await counts(app, /^ats_notifier_mails_settled_total\{status="rejected"\} 1$/m);
  });

  it('fails when the schedule is exhausted while the server is unavailable', async () => {
    await start({ ...sendingBy({ port: await freePort() }), MAIL_SCHEDULE: [60, 60] });
    await addMail(database);
    for (const attempts of [1, 2]) {
      await becomes({ status: 'due', attempts, last_error: 'connection', said: 'queued' });
      await passSchedule();
    }
    await becomes({
      status: 'failed',
      attempts: 3,
      last_error: 'connection',
      said: 'failed',
      failed_reason: 'exhausted',
    });
  });

  it('waits and raises a warning while the password is wrong', async () => {
    const strict = await MailServer.start({ allowInsecureAuth: true, authOptional: false });
    servers.push(strict);
    strict.answerLogin = ({ password }) => password === 'right';
    const mistyped = await start(sendingBy(strict, { user: 'ats', password: 'wrong' }));
    await addMail(database);
    await becomes({ status: 'due', attempts: 1, last_error: 'login 535 5.7.8', said: 'queued' });
    await eventually(async () => expect(await get(mistyped, '/health/ready')).toContain('mail_refused'));
    await counts(mistyped, /^ats_notifier_mail_attempts_total\{outcome="login"\} 1$/m);
    await stage.stopNotifiers();
    await start(sendingBy(strict, { user: 'ats', password: 'right' }));
    await passSchedule();
    await becomes({ status: 'sent', attempts: 2, said: 'sent' });
    expect(strict.received).toHaveLength(1);
  });

  it('waits while the server rejects the login: one e-mail at a time tries to log in', async () => {
    const strict = await MailServer.start({ allowInsecureAuth: true, authOptional: false });
    servers.push(strict);
    const triedAt: number[] = [];
    strict.answerLogin = () => triedAt.push(performance.now()) === 0;
    await addMails(database, 60);
    await start(sendingBy(strict, { user: 'ats', password: 'wrong' }));
    // The jobs that Bull has already started try to log in first. Then only one e-mail at a time tries to log in, after
    // pauses of 1 s, 2 s and 4 s.
    await eventually(
      () => expect(triedAt.some((at, index) => at - (triedAt[index - 1] ?? at) > 3_500)).toBe(true),
      PATIENCE_MS,
    );
    expect((await readMails(database)).filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(20);
    strict.answerLogin = () => true;
    await eventually(
      async () =>
        expect((await readMails(database)).filter(({ status }) => status === 'sent').length).toBeGreaterThan(20),
      PATIENCE_MS,
    );
  });

  it('is sent although the server rejects other recipients or denies relaying to them', async () => {
    server.answerRecipient = (address) => {
      if (address.startsWith('relay')) return new Refusal(550, `5.1.1 <${address}>: Recipient address rejected`);
      return address === 'robin@example.com' ? undefined : new Refusal(554, `5.7.1 <${address}>: Relay access denied`);
    };
    const app = await start();
    const addEach = async (addresses: readonly string[]): Promise<void> => {
      for (const address of addresses) await addMail(database, { to: [address] });
      await addMail(database);
    };
    const numbered = (name: string): string[] =>
      Array.from({ length: 12 }, (_, index) => `${name}${index}@example.com`);
    await addEach(numbered('relay.'));
    await becomes(...numbered('').map(() => ({ status: 'failed', last_error: 'rejected 550 5.1.1' })), {
      status: 'sent',
    });
    expect(await get(app, '/health/ready')).not.toContain('mail_refused');
    await database.query('DELETE FROM communications');
    await addEach(numbered('someone.'));
    await becomes(...numbered('').map(() => ({ status: 'due', attempts: 1, last_error: 'relaying 554 5.7.1' })), {
      status: 'sent',
    });
    await eventually(async () => expect(await get(app, '/health/ready')).toContain('mail_refused'));
  });

  it('is sent once, regardless of how long its row is locked', async () => {
    const communication = await addMail(database);
    const writer = await database.pool.connect();
    const leaseLeft = async (): Promise<number> => {
      const [row] = await database.query<{ seconds: number }>(
        `SELECT extract(epoch FROM lease_until_dt - clock_timestamp())::double precision AS seconds
           FROM outgoing_mails`,
      );
      return row?.seconds ?? 0;
    };
    try {
      await writer.query('BEGIN');
      await writer.query('SELECT FROM communications WHERE id = $1 FOR UPDATE', [communication]);
      await start();
      await eventually(() => expect(server.received).toHaveLength(1));
      const longerThanOthersTry = sleep(STORE_FOR_MS + 2_000);
      for (let lease = 1; lease <= 3; lease++) {
        await moveClock(database, (MAIL_LEASE_SECONDS - 60) * 1_000);
        await eventually(async () => expect(await leaseLeft()).toBeGreaterThan(MAIL_LEASE_SECONDS - 30));
      }
      await longerThanOthersTry;
      expect(await readMails(database)).toMatchObject([{ status: 'sending', attempts: 1, said: 'queued' }]);
    } finally {
      await writer.query('ROLLBACK');
      writer.release();
    }
    await becomes({ status: 'sent', attempts: 1, said: 'sent' });
    expect(server.received).toHaveLength(1);
  });

  it('expires after three days without an attempt, while a younger one is sent', async () => {
    await addMail(database, { ageHours: 72.1, to: ['old@example.com'] });
    await addMail(database, { ageHours: 71.9, to: ['young@example.com'] });
    await start();
    await becomes({ status: 'failed', attempts: 0, said: 'failed', failed_reason: 'expired' }, { status: 'sent' });
    expect(server.only.envelope.to).toEqual(['young@example.com']);
  });

  it('continues to the end of its schedule after its first attempt, regardless of its age', async () => {
    server.answer = () => new Refusal(451, 'later');
    await start();
    await addMail(database);
    await becomes({ status: 'due', attempts: 1 });
    server.answer = () => undefined;
    await moveClock(database, 100 * 3_600_000);
    await becomes({ status: 'sent', attempts: 2 });
  });

  it('is not sent when it was cancelled or deleted', async () => {
    const cancelled = await addMail(database, { to: ['cancelled@example.com'] });
    const deleted = await addMail(database, { to: ['deleted@example.com'] });
    await addMail(database);
    await database.transaction((transaction) => cancelMails(transaction, [cancelled]));
    await database.query('DELETE FROM communications WHERE id = $1', [deleted]);
    await start();
    await becomes({ status: 'cancelled', attempts: 0 }, { status: 'sent' });
    expect(server.only.envelope.to).toEqual(['robin@example.com']);
  });

  it('stays cancelled when it is cancelled during its attempt', async () => {
    const id = await addMail(database);
    let go = (): void => undefined;
    server.answer = () => new Promise((resolve) => (go = () => resolve(undefined)));
    const app = await start();
    await eventually(() => expect(server.received).toHaveLength(1));
    await database.transaction((transaction) => cancelMails(transaction, [id]));
    go();
    await eventually(async () =>
      expect(await get(app, '/metrics')).toMatch(/^ats_notifier_mails_settled_total\{status="superseded"\} 1$/m),
    );
    expect(await readMails(database)).toMatchObject([{ status: 'cancelled', said: 'queued' }]);
  });
});
