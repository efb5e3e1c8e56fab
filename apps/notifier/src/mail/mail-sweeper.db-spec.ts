import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { moveClock, stopClock } from '@ats/domain/testing';
import { type Database } from '@ats/postgres';
import { type JobDispatcher } from '../queues/job-dispatcher.js';
import { Metrics } from '../counters/metrics.js';
import { WorkerHeartbeat } from '../loops/worker-heartbeat.js';
import { activationSecrets } from '../../test/activation-fixtures.js';
import { addMail, readMails } from '../../test/mail-fixtures.js';
import { MailServer } from '../../test/mail-server.js';
import { useStage } from '../../test/running-notifier.js';
import { silentLogger } from '../../test/silent-logger.js';
import { ActivationMails } from './activation-mail.js';
import { claimMail } from './store/claimed-mail.js';
import { pickDueMails } from './store/due-mails.js';
import { finishMail } from './store/finish-mail.js';
import { type MailJob } from './store/mail-job.js';
import { MailMetrics } from './mail-metrics.js';
import { senderOf } from './smtp/mail-message.js';
import { MailSender } from './mail-sender.js';
import { MailSweeper } from './mail-sweeper.js';
import { SmtpClient } from './smtp/smtp-client.js';

const DEAD = 1;
afterAll(() => living.stop());
// The clock stands still, so the duration of the tests changes no age.
const stage = useStage({ hasMovableClock: true });
let database: Database;
let living: WorkerHeartbeat;

beforeAll(async () => {
  ({ database } = stage);
  await stopClock(database);
  living = new WorkerHeartbeat({ database, logger: silentLogger, listeners: {} });
  await living.start();
});
afterEach(() => stage.reset());

async function sweep(isLost = false): Promise<boolean> {
  let isDue = false;
  const dispatcher = { isLost: () => Promise.resolve(isLost) } as unknown as JobDispatcher<MailJob>;
  await new MailSweeper({
    database,
    dispatcher,
    metrics: new MailMetrics(new Metrics()),
    logger: silentLogger,
    onDue: () => (isDue = true),
  }).sweep();
  return isDue;
}
async function addQueuedMail(): Promise<MailJob> {
  await addMail(database);
  const [job] = await pickDueMails(database, 1);
  if (!job) throw new Error('it is due');
  return job;
}
/** Adds an e-mail that a worker claimed `ageMs` ago. */
async function addSending(worker: number, ageMs: number): Promise<MailJob> {
  const job = await addQueuedMail();
  await claimMail(database, job, worker);
  await database.query(`UPDATE outgoing_mails SET lease_until_dt = lease_until_dt - $1 * interval '1 millisecond'`, [
    ageMs,
  ]);
  return job;
}
const makeQueuedSince = (ms: number): Promise<object[]> =>
  database.query(`UPDATE outgoing_mails SET queued_dt = queued_dt - $1 * interval '1 millisecond'`, [ms]);

describe('the sweeper of e-mails', () => {
  it.each([
    ['requeues an e-mail of a dead worker after 3 seconds', () => DEAD, 3_001, 'due'],
    ['keeps an e-mail of a dead worker until 3 seconds after the claim', () => DEAD, 3_000, 'sending'],
    ['keeps an e-mail of a living worker', () => living.worker, 180_000, 'sending'],
    ['requeues an e-mail of a living worker when its lease has expired', () => living.worker, 180_001, 'due'],
  ])('%s', async (_, worker, ageMs, status) => {
    await addSending(worker(), ageMs);
    expect(await sweep()).toBe(status === 'due');
    expect(await readMails(database)).toMatchObject([
      { status, attempts: 1, last_error: status === 'due' ? 'interrupted' : null },
    ]);
  });

  it('requeues an e-mail with a lost job a second after it was queued, and keeps its position', async () => {
    await addQueuedMail();
    await makeQueuedSince(1_000);
    expect(await sweep(true)).toBe(false);
    const [before] = await readMails(database);
    await makeQueuedSince(1);
    expect(await sweep(false)).toBe(false);
    expect(await sweep(true)).toBe(true);
    expect(await readMails(database)).toMatchObject([{ status: 'due', attempts: 0, requeues: 1 }]);
    await moveClock(database, 1);
    await addMail(database);
    expect(await pickDueMails(database, 1)).toEqual([{ mailId: before?.id, attempts: 0, requeues: 1 }]);
  });

  it('treats a job that has been in Bull for ten minutes as lost', async () => {
    await addQueuedMail();
    await makeQueuedSince(600_000);
    expect(await sweep(false)).toBe(false);
    await makeQueuedSince(1);
    expect(await sweep(false)).toBe(true);
  });

  it('fails expired e-mails; an expired e-mail with a locked row fails in a later round', async () => {
    const held = await addMail(database, { ageHours: 73 });
    await addMail(database, { ageHours: 73 });
    const writer = await database.pool.connect();
    try {
      await writer.query('BEGIN');
      await writer.query('SELECT FROM communications WHERE id = $1 FOR UPDATE', [held]);
      await sweep();
      expect(await readMails(database)).toMatchObject([
        { status: 'due', said: 'queued' },
        { status: 'failed', said: 'failed', failed_reason: 'expired' },
      ]);
    } finally {
      await writer.query('ROLLBACK');
      writer.release();
    }
    await sweep();
    expect(await readMails(database)).toMatchObject([
      { status: 'failed', said: 'failed', failed_reason: 'expired' },
      { status: 'failed' },
    ]);
  });
});

describe('a claim of an e-mail', () => {
  it('is won by one of several concurrent jobs, and never by an outdated job', async () => {
    const job = await addQueuedMail();
    for (const stale of [
      { ...job, attempts: 1 },
      { ...job, requeues: 1 },
    ])
      expect(await claimMail(database, stale, DEAD)).toBeNull();
    const claims = await Promise.all([job, job, job].map((one) => claimMail(database, one, DEAD)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  });

  it('fails when the communication has failed or was deleted', async () => {
    const jobs = [await addQueuedMail(), await addQueuedMail()];
    const [given, deleted] = await readMails(database);
    await database.query(`UPDATE communications SET status = 'failed' WHERE id = $1`, [given?.communication_id]);
    await database.query('DELETE FROM communications WHERE id = $1', [deleted?.communication_id]);
    for (const job of jobs) expect(await claimMail(database, job, DEAD)).toBeNull();
  });

  it('can store a success even after a later claim, but not a failure', async () => {
    const job = await addQueuedMail();
    const first = await claimMail(database, job, DEAD);
    await database.query(`UPDATE outgoing_mails SET status = 'queued', queued_dt = now()`);
    const second = await claimMail(database, { ...job, attempts: 1 }, living.worker);
    if (!first || !second) throw new Error('both were queued');
    expect(await finishMail(database, first, { status: 'failed', reason: 'rejected' }, 'rejected 550')).toBe(false);
    expect(await readMails(database)).toMatchObject([{ status: 'sending', attempts: 2, said: 'queued' }]);
    expect(await finishMail(database, first, { status: 'sent' }, null)).toBe(true);
    expect(await finishMail(database, second, { status: 'failed', reason: 'rejected' }, 'rejected 550')).toBe(false);
    expect(await finishMail(database, second, { status: 'sent' }, null)).toBe(false);
    expect(await readMails(database)).toMatchObject([{ status: 'sent', said: 'sent', last_error: null }]);
  });

  it('ends an e-mail without another attempt when all attempts were interrupted', async () => {
    const server = await MailServer.start();
    const client = new SmtpClient(
      { host: '127.0.0.1', port: server.port, isSecure: false, login: null },
      senderOf('https://ats.example.com', undefined),
    );
    const metrics = new MailMetrics(new Metrics());
    const activationMails = new ActivationMails(activationSecrets, 'https://ats.example.com/activate');
    const sender = new MailSender({
      database,
      client,
      activationMails,
      publicBaseUrl: 'https://ats.example.com',
      metrics,
      worker: living.worker,
      logger: silentLogger,
      schedule: [60],
      random: () => 0,
      onFinished: () => undefined,
    });
    const job = await addQueuedMail();
    await database.query('UPDATE outgoing_mails SET attempts = 2');
    await sender.send({ ...job, attempts: 2 });
    client.close();
    await server.stop();
    expect(await readMails(database)).toMatchObject([
      { status: 'failed', attempts: 3, last_error: 'interrupted', failed_reason: 'exhausted' },
    ]);
    expect(server.received).toEqual([]);
  });
});
