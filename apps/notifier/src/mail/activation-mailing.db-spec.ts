// @group sample: npm test runs a quarter of its tests
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { activateAccount, anonymiseCandidate, cancelActivation } from '@ats/domain';
import { type Database, type Transaction } from '@ats/postgres';
import { moveClock } from '@ats/domain/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Environment } from '../config/env.js';
import {
  activationSecrets,
  type ActivationMailRow,
  addActivation,
  readActivationMails,
} from '../../test/activation-fixtures.js';
import { eventually } from '../../test/eventually.js';
import { addMail } from '../../test/mail-fixtures.js';
import { counts, get, PATIENCE_MS } from '../../test/mailing.js';
import { Refusal, useMailServer } from '../../test/mail-server.js';
import { useStage } from '../../test/running-notifier.js';
import { silentLogger } from '../../test/silent-logger.js';
import { Metrics } from '../counters/metrics.js';
import { ActivationMails } from './activation-mail.js';
import { claimActivationMail } from './store/claimed-mail.js';
import { claimMail } from './store/claimed-mail.js';
import { pickDueMails } from './store/due-mails.js';
import { MailMetrics } from './mail-metrics.js';
import { MailSender } from './mail-sender.js';

const RECRUITER = 900;

const stage = useStage({ hasMovableClock: true });
let database: Database;
const server = useMailServer();

beforeAll(async () => {
  ({ database } = stage);
  await database.query(
    `INSERT INTO users (id, type, firstname, lastname, email) VALUES (${RECRUITER}, 'recruiter', 'Kim', 'Writer',
       'kim@example.com')`,
  );
});
afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
  await database.query(`DELETE FROM users WHERE type = 'candidate'`);
  await stage.redis.flushdb();
});

const start = (changes: Partial<Environment> = {}): Promise<NestFastifyApplication> =>
  stage.start({ SMTP_URL: { host: '127.0.0.1', port: server.port, isSecure: false, login: null }, ...changes });
const becomes = (...rows: readonly Partial<ActivationMailRow>[]): Promise<void> =>
  eventually(async () => expect(await readActivationMails(database)).toMatchObject(rows), PATIENCE_MS);
const linkTo = (token: string, page = 'https://ats.example.com/activate'): string => `${page}?token=${token}`;
const expire = (id: number): Promise<unknown> =>
  database.query(
    `UPDATE account_activations SET expires_dt = clock_timestamp() - interval '1 second' WHERE user_id = $1`,
    [id],
  );
const QUEUED = { type: 'field_change', changes: [{ path: '/activation_mail', old: null, new: 'queued' }] };
const FAILED = { type: 'field_change', changes: [{ path: '/activation_mail', old: 'queued', new: 'failed' }] };
const SENT = { type: 'comm_sent', changes: [{ path: '/activation_mail', old: 'queued', new: 'sent' }] };
const historyOf = (id: number): Promise<object[]> =>
  database.query(
    `SELECT type, changes FROM history_entries WHERE subject_type = 'candidate' AND subject_id = $1 ORDER BY id`,
    [id],
  );
const inTransaction = (work: (transaction: Transaction) => Promise<unknown>): Promise<unknown> =>
  database.transaction(work);

/** Returns every row of every table as text. */
async function dump(): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) =>
      database.query<{ text: string | null }>(`SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`),
    ),
  );
  return texts
    .flat()
    .map(({ text }) => text ?? '')
    .join('\n');
}

describe('an activation e-mail', () => {
  it('is sent soon to the address of the candidate, as text and HTML, and its link is stored nowhere', async () => {
    const app = await start();
    const { token } = await addActivation(database, { email: 'ana@example.com' });
    await becomes({ status: 'sent', attempts: 1, last_error: null, has_token: false });
    const { mail, envelope } = server.only;
    expect(envelope).toEqual({ from: 'no-reply@ats.example.com', to: ['ana@example.com'] });
    expect(mail.subject).toMatch(/^Activate your account: ./);
    expect(mail.html).toContain(`<a href="${linkTo(token)}">`);
    expect(mail.text).toContain(`<${linkTo(token)}>`);
    await counts(app, /^ats_notifier_mails_settled_total\{status="sent"\} 1$/m);
    const metrics = await get(app, '/metrics');
    const digits = Buffer.from(token).toString('hex');
    for (const text of [await dump(), metrics])
      expect([token, digits].filter((form) => text.includes(form))).toEqual([]);
  });

  it.each([
    [{ language: 'ar', requestLanguage: 'de' }, 'lang="ar" dir="rtl"'],
    [{ requestLanguage: 'fr' }, 'lang="fr" dir="ltr"'],
  ])('uses the language of the candidate, else of the request: %j', async (languages, attributes) => {
    await start();
    await addActivation(database, languages);
    await becomes({ status: 'sent' });
    expect(server.only.mail.html).toContain(`<div ${attributes}>`);
  });

  it('has a link to the page of ACTIVATION_URL', async () => {
    await start({ ACTIVATION_URL: 'https://jobs.example.com/welcome?lang=de' });
    const { token } = await addActivation(database);
    await becomes({ status: 'sent' });
    expect(server.only.mail.text).toContain(`https://jobs.example.com/welcome?lang=de&token=${token}`);
  });

  it('is sent again with the same message id after a temporary rejection', async () => {
    server.answer = () => new Refusal(451, '4.7.1 greylisted');
    await start();
    const { id, token } = await addActivation(database);
    await becomes({ status: 'due', attempts: 1, last_error: 'deferred 451 4.7.1', has_token: true });
    expect(await historyOf(id)).toEqual([QUEUED]);
    server.answer = () => undefined;
    await moveClock(database, 73_000);
    await becomes({ status: 'sent', attempts: 2, has_token: false });
    expect(await historyOf(id)).toEqual([QUEUED, SENT]);
    expect(new Set(server.messageIds).size).toBe(1);
    expect(server.received.map(({ mail }) => mail.text?.includes(token))).toEqual([true, true]);
  });

  it('fails, and is counted in the metrics, when the server rejects the address permanently', async () => {
    server.answerRecipient = () => new Refusal(550, '5.1.1 no such user');
    const app = await start();
    const { id } = await addActivation(database);
    await becomes({ status: 'failed', attempts: 1, last_error: 'rejected 550 5.1.1', has_token: false });
    expect(await historyOf(id)).toEqual([QUEUED, FAILED]);
    await counts(app, /^ats_notifier_mails_settled_total\{status="rejected"\} 1$/m);
  });

  it('expires after three days without an attempt, like the e-mail of a communication', async () => {
    await addActivation(database, { ageHours: 72.1, email: 'old@example.com' });
    await addActivation(database, { ageHours: 71.9, email: 'young@example.com' });
    await addMail(database, { ageHours: 72.1 });
    const app = await start();
    await becomes({ status: 'failed', attempts: 0, last_error: 'expired', has_token: false }, { status: 'sent' });
    expect(server.only.envelope.to).toEqual(['young@example.com']);
    await eventually(async () =>
      expect(await get(app, '/metrics')).toMatch(/^ats_notifier_mails_settled_total\{status="expired"\} 2$/m),
    );
  });

  it.each([
    [
      'was used',
      (id: number, token: string) => inTransaction((transaction) => activateAccount(transaction, token, null)),
    ],
    ['was cancelled', (id: number) => inTransaction((transaction) => cancelActivation(transaction, id))],
    [
      'is no longer needed by the candidate',
      (id: number) => database.query(`UPDATE users SET status = 'active' WHERE id = $1`, [id]),
    ],
  ])('is cancelled and not sent when its link %s', async (_, change) => {
    const { id, token } = await addActivation(database);
    await change(id, token);
    await addActivation(database, { email: 'other@example.com' });
    await start();
    await becomes({ status: 'cancelled', attempts: 0, has_token: false }, { status: 'sent' });
    expect(server.only.envelope.to).toEqual(['other@example.com']);
  });

  it.each([
    ['deleted', (id: number) => database.query('DELETE FROM users WHERE id = $1', [id])],
    [
      'anonymised',
      (id: number) =>
        inTransaction((transaction) =>
          anonymiseCandidate(transaction, id, { recruiterId: RECRUITER, baseUrl: 'https://ats.example.com' }),
        ),
    ],
  ])('is deleted when its candidate is %s', async (_, change) => {
    const { id } = await addActivation(database);
    await change(id);
    await addActivation(database, { email: 'other@example.com' });
    await start();
    await becomes({ status: 'sent' });
    expect(server.only.envelope.to).toEqual(['other@example.com']);
  });

  it('stays cancelled when it is cancelled during its attempt', async () => {
    const { id } = await addActivation(database);
    let go = (): void => undefined;
    server.answer = () => new Promise((resolve) => (go = () => resolve(undefined)));
    const app = await start();
    await eventually(() => expect(server.received).toHaveLength(1));
    await inTransaction((transaction) => cancelActivation(transaction, id));
    go();
    await eventually(async () =>
      expect(await get(app, '/metrics')).toMatch(/^ats_notifier_mails_settled_total\{status="superseded"\} 1$/m),
    );
    expect(await readActivationMails(database)).toMatchObject([{ status: 'cancelled', has_token: false }]);
  });

  it('waits and raises a warning while SECRET_KEY differs from that of the API', async () => {
    const mistaken = await start({ SECRET_KEY: 'another secret of at least 32 characters' });
    await addActivation(database);
    await becomes({ status: 'due', attempts: 1, last_error: 'secret', has_token: true });
    await eventually(async () => expect(await get(mistaken, '/health/ready')).toContain('mail_refused'));
    await stage.stopNotifiers();
    expect(server.received).toEqual([]);
    await start();
    await moveClock(database, 73_000);
    await becomes({ status: 'sent', attempts: 2 });
  });

  it('stays due without a mail server; when it or its link expires, it fails and loses its token', async () => {
    const [link, old, young] = [
      await addActivation(database),
      await addActivation(database, { ageHours: 72.1 }),
      await addActivation(database, { ageHours: 71.9 }),
    ];
    await expire(link.id);
    const app = await stage.start();
    await becomes(
      { status: 'failed', attempts: 0, last_error: 'expired', has_token: false },
      { status: 'failed', attempts: 0, last_error: 'expired', has_token: false },
      { status: 'due', attempts: 0, has_token: true },
    );
    expect(await get(app, '/metrics')).not.toContain('mails_settled');
    for (const { id } of [link, old]) expect(await historyOf(id)).toEqual([QUEUED, FAILED]);
    expect(await historyOf(young.id)).toEqual([QUEUED]);
  });

  it('fails without an attempt when its link has expired', async () => {
    const { id } = await addActivation(database);
    await expire(id);
    await addActivation(database, { email: 'other@example.com' });
    await start();
    await becomes({ status: 'failed', attempts: 0, last_error: 'expired', has_token: false }, { status: 'sent' });
    expect(server.only.envelope.to).toEqual(['other@example.com']);
  });
});

describe('a claim of an activation e-mail', () => {
  it('fails an e-mail whose link has expired', async () => {
    const { id } = await addActivation(database);
    const [job] = await pickDueMails(database, 1);
    if (!job) throw new Error('it is due');
    await expire(id);
    expect(await claimActivationMail(database, job, 1)).toBeNull();
    expect(await readActivationMails(database)).toMatchObject([
      { status: 'failed', attempts: 0, last_error: 'expired', has_token: false },
    ]);
    expect(await historyOf(id)).toEqual([QUEUED, FAILED]);
  });

  it('is won by one of several jobs, and never by a job for communications', async () => {
    await addActivation(database);
    const [job] = await pickDueMails(database, 1);
    if (!job) throw new Error('it is due');
    expect(await claimMail(database, job, 1)).toBeNull();
    for (const stale of [
      { ...job, attempts: 1 },
      { ...job, requeues: 1 },
    ])
      expect(await claimActivationMail(database, stale, 1)).toBeNull();
    const claims = await Promise.all([job, job, job].map((one) => claimActivationMail(database, one, 1)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(await readActivationMails(database)).toMatchObject([{ status: 'sending', attempts: 1, has_token: true }]);
  });

  it('ends an e-mail without another attempt when all attempts were interrupted', async () => {
    await addActivation(database);
    const [job] = await pickDueMails(database, 1);
    if (!job) throw new Error('it is due');
    await database.query('UPDATE outgoing_mails SET attempts = 2');
    const client = { send: () => Promise.reject(new Error('it is not to be sent')) };
    const activationMails = new ActivationMails(activationSecrets, 'https://ats.example.com/activate');
    const metrics = new MailMetrics(new Metrics());
    const sender = new MailSender({
      database,
      client,
      activationMails,
      publicBaseUrl: 'https://ats.example.com',
      metrics,
      worker: 1,
      logger: silentLogger,
      schedule: [60],
      random: () => 0,
      onFinished: () => undefined,
    });
    await sender.send({ ...job, attempts: 2 });
    expect(await readActivationMails(database)).toMatchObject([
      { status: 'failed', attempts: 3, last_error: 'interrupted', has_token: false },
    ]);
  });
});
