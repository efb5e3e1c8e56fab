// @group long: it starts notifiers as processes
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database } from '@ats/postgres';
import { moveClock } from '@ats/domain/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../../test/certificate.js';
import { BASE_URL, SECRET_KEY } from '../../test/fixtures.js';
import { eventually } from '../../test/eventually.js';
import { addMail, addMails, readMails } from '../../test/mail-fixtures.js';
import { MailServer, useMailServer } from '../../test/mail-server.js';
import { NotifierProcess, useProcesses } from '../../test/notifier-process.js';
import { useStage } from '../../test/running-notifier.js';
import { MAIL_LEASE_SECONDS } from './store/mail-job.js';

/** Time to recover from a fault. It is long enough for a busy machine. */
const RECOVERY_MS = 150_000;

const stage = useStage({ hasMovableClock: true });
let database: Database;
const server = useMailServer();
const processes = useProcesses(() => ({
  DATABASE_URL: stage.testDatabase.url,
  REDIS_URL: stage.redisUrl,
  PUBLIC_BASE_URL: BASE_URL,
  SECRET_KEY,
  SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  MAIL_SCHEDULE: '60,60',
}));

beforeAll(() => void ({ database } = stage));
afterEach(async () => {
  await stage.reset();
  await stage.redis.flushdb();
});

const startProcess = (changes: Readonly<Record<string, string>> = {}): Promise<NotifierProcess> =>
  processes.startReady(changes, RECOVERY_MS);
const countSent = async (): Promise<number> =>
  (await readMails(database)).filter(({ status, said }) => status === 'sent' && said === 'sent').length;
const arrives = (times: number): Promise<void> =>
  eventually(() => expect(server.received).toHaveLength(times), RECOVERY_MS);

describe('an e-mail is not lost', () => {
  it('when its process is killed before it stores the result: the same message is sent again', async () => {
    const communication = await addMail(database);
    const writer = await database.pool.connect();
    try {
      await writer.query('BEGIN');
      // While the test holds this lock, the notifier cannot store the result.
      await writer.query('SELECT FROM communications WHERE id = $1 FOR UPDATE', [communication]);
      const killed = await startProcess();
      await eventually(
        () =>
          expect(killed.output).toContain(
            'the result of sending an e-mail could not be stored: the notifier tries again',
          ),
        RECOVERY_MS,
      );
      await killed.kill('SIGKILL');
    } finally {
      await writer.query('ROLLBACK');
      writer.release();
    }
    expect(server.received).toHaveLength(1);
    expect(await readMails(database)).toMatchObject([{ status: 'sending', attempts: 1, said: 'queued' }]);
    await startProcess();
    await arrives(2);
    await eventually(
      async () => expect(await readMails(database)).toMatchObject([{ status: 'sent', attempts: 2, said: 'sent' }]),
      RECOVERY_MS,
    );
    expect(server.messageIds).toEqual([server.messageIds[0], server.messageIds[0]]);
  });

  it('when processes are killed under load, and only e-mails with a running attempt are sent again', async () => {
    const [first] = await Promise.all([startProcess(), startProcess()]);
    const added = addMails(database, 150);
    await eventually(() => expect(server.received.length).toBeGreaterThan(20), RECOVERY_MS);
    await first.kill('SIGKILL');
    await added;
    await startProcess();
    await eventually(async () => expect(await countSent()).toBe(150), RECOVERY_MS);
    expect(new Set(server.messageIds).size).toBe(150);
    expect(server.received.length - 150).toBeLessThanOrEqual(10);
  });

  it('when its process is paused for longer than its lease, and the late result changes nothing', async () => {
    let go = (): void => undefined;
    server.answer = () => new Promise((resolve) => (go = () => resolve(undefined)));
    await addMail(database);
    const frozen = await startProcess();
    await arrives(1);
    frozen.signal('SIGSTOP');
    server.answer = () => undefined;
    await moveClock(database, MAIL_LEASE_SECONDS * 1_000 + 1_000);
    await startProcess();
    await arrives(2);
    await eventually(async () => expect(await countSent()).toBe(1), RECOVERY_MS);
    const [sent] = await readMails(database);
    go();
    frozen.signal('SIGCONT');
    await eventually(() => expect(frozen.output).toContain('"superseded"'));
    expect(await readMails(database)).toMatchObject([
      { attempts: 2, finished_dt: sent?.finished_dt, sent_dt: sent?.sent_dt },
    ]);
    expect(server.messageIds).toEqual([server.messageIds[0], server.messageIds[0]]);
  });
});

describe('a notifier', () => {
  it('logs no e-mail addresses and no texts of e-mails', async () => {
    await addMail(database, {
      to: ['private@example.com'],
      subject: 'Secret subject',
      body: '<p>secret body</p>',
      bodyPlain: 'secret body',
    });
    const started = await startProcess();
    await eventually(async () => expect(await countSent()).toBe(1), RECOVERY_MS);
    await eventually(() => expect(started.output).toContain('attempt to send an e-mail finished'));
    // The first line shows the configuration. Only this line may contain the IP address of the API, and "secret" in
    // names of variables.
    const [starting = '', ...others] = started.output.split('\n');
    expect(starting).not.toContain('private@');
    expect(others.join('\n')).not.toMatch(/private@|secret|127\.0\.0\.1/i);
  });

  it('sends its password only over STARTTLS to a server with a trusted certificate, and never logs it', async () => {
    const certificate = selfSigned();
    const folder = mkdtempSync(join(tmpdir(), 'ats-mail-'));
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, certificate.cert);
    const strict = await MailServer.start({ ...certificate, authOptional: false });
    strict.answerLogin = ({ username, password }) => username === 'ats' && password === 'p@ss';
    const settings = { SMTP_URL: `smtp://ats:p%40ss@localhost:${strict.port}` };
    try {
      await addMail(database);
      const distrustful = await startProcess(settings);
      await eventually(
        async () =>
          expect(await readMails(database)).toMatchObject([{ status: 'due', attempts: 1, last_error: 'tls' }]),
        RECOVERY_MS,
      );
      await distrustful.kill('SIGKILL');
      await moveClock(database, 73_000);
      const started = await startProcess({ ...settings, NODE_EXTRA_CA_CERTS: authority });
      await eventually(async () => expect(await countSent()).toBe(1), RECOVERY_MS);
      expect(strict.only.isEncrypted).toBe(true);
      expect(distrustful.output + started.output).not.toMatch(/p@ss|p%40ss|localhost/);
    } finally {
      await strict.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('does not start with invalid settings, and names them without their values', async () => {
    const wrong = await NotifierProcess.start({
      SMTP_URL: 'smtp://ats:hidden@host/path',
      MAIL_FROM: 'nobody',
      MAIL_SCHEDULE: 'never',
    });
    expect((await wrong.exited).code).toBe(1);
    for (const name of ['SMTP_URL', 'MAIL_FROM', 'MAIL_SCHEDULE']) expect(wrong.output).toContain(`${name}: must be`);
    expect(wrong.output).not.toMatch(/hidden|nobody|never/);
  });
});
