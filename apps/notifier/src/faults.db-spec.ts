// @group long: starts notifiers as processes
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../test/eventually.js';
import { BASE_URL, readAttempts, readDeliveries, recordEvent, SECRET_KEY, subscribe } from '../test/fixtures.js';
import { useProcesses } from '../test/notifier-process.js';
import { addQueued } from '../test/queued.js';
import { useReceiver } from '../test/receiver.js';
import { useStage } from '../test/running-notifier.js';
import { TcpRelay } from '@ats/postgres/testing';

const stage = useStage();
const receiver = useReceiver();
const processes = useProcesses(() => ({
  DATABASE_URL: stage.testDatabase.url,
  REDIS_URL: stage.redisUrl,
  PUBLIC_BASE_URL: BASE_URL,
  SECRET_KEY,
  ALLOW_HTTP_DESTINATIONS: 'true',
  ALLOW_PRIVATE_DESTINATIONS: 'true',
}));

afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
  await stage.redis.flushdb();
});

const statuses = async (): Promise<string[]> => [
  ...new Set((await readDeliveries(stage.database)).map(({ status }) => status)),
];
const messageIds = (): string[] => receiver.requests.map(({ message }) => String(message['message_id']));

/** Time to recover. A delivery whose job is lost twice waits for its lease of 45 s, or for 60 s in the queue. */
const RECOVERY_MS = 240_000;

describe('no message is lost', () => {
  it('when the process dies between marking a delivery and handing it to Bull', async () => {
    const { subscription } = await subscribe(stage.database, { url: receiver.url });
    await addQueued(stage.database, subscription.id);
    await stage.start();
    await eventually(async () => expect(await statuses()).toEqual(['delivered']));
    expect(receiver.requests).toHaveLength(1);
  });

  it('or sent twice when Redis is flushed repeatedly', async () => {
    for (let index = 0; index < 5; index++) await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    for (let index = 0; index < 60; index++) {
      await recordEvent(stage.database, { subjectId: index });
      await stage.wake();
      if (index % 6 === 5) await stage.redis.flushdb();
    }
    await eventually(
      async () =>
        expect((await readDeliveries(stage.database)).filter(({ status }) => status === 'delivered')).toHaveLength(300),
      RECOVERY_MS,
    );
    expect(messageIds()).toHaveLength(300);
    expect(new Set(messageIds()).size).toBe(300);
  });

  it('while Redis is unavailable and after it is available again', async () => {
    const relay = await TcpRelay.before(stage.redisUrl);
    await subscribe(stage.database, { url: receiver.url });
    const app = await stage.start({ REDIS_URL: relay.url });
    const deliver = async (subjectId: number): Promise<void> => {
      await recordEvent(stage.database, { subjectId });
      await stage.wake();
      await eventually(() => expect(receiver.requests).toHaveLength(subjectId));
    };
    await deliver(1);
    await relay.close();
    await deliver(2);
    await deliver(3);
    await eventually(async () =>
      expect((await app.getHttpAdapter().getInstance().inject('/health/ready')).statusCode).toBe(503),
    );
    await relay.open();
    await eventually(async () =>
      expect((await app.getHttpAdapter().getInstance().inject('/health/ready')).statusCode).toBe(200),
    );
    await stage.whenBullWorks();
    await deliver(4);
    await stage.stopNotifiers();
    await relay.close();
  });

  it('or late when Redis keeps connections open and does not answer', async () => {
    const relay = await TcpRelay.before(stage.redisUrl);
    await subscribe(stage.database, { url: receiver.url });
    await stage.start({ REDIS_URL: relay.url });
    await relay.holdBack();
    let sent = 0;
    const deliver = async (): Promise<number> => {
      const startedAt = performance.now();
      await recordEvent(stage.database, { subjectId: (sent += 1) });
      await stage.wake();
      await eventually(() => expect(receiver.requests).toHaveLength(sent));
      return performance.now() - startedAt;
    };
    await deliver();
    // A delivery must not need a Redis command, which would take 2 s here. The test measures again when a delivery
    // takes that long, because a busy machine can be the reason.
    await eventually(async () => expect(await deliver()).toBeLessThan(2_000));
    await relay.close();
    await relay.open();
    await stage.whenBullWorks();
    await stage.stopNotifiers();
    await relay.close();
  });

  it('when Redis is unavailable at the start', async () => {
    const relay = await TcpRelay.before(stage.redisUrl);
    const { url } = relay;
    await relay.close();
    await subscribe(stage.database, { url: receiver.url });
    await stage.startWithoutRedis({ REDIS_URL: url });
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await relay.open();
    await stage.whenBullWorks();
    await recordEvent(stage.database, { subjectId: 2 });
    await stage.wake();
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    await stage.stopNotifiers();
    await relay.close();
  });

  it('or sent twice when PostgreSQL is unavailable while the answer arrives', async () => {
    const relay = await TcpRelay.before(stage.testDatabase.url);
    let answer: (() => void) | undefined;
    receiver.respond = (_, response) => (answer = () => void response.writeHead(204).end());
    await subscribe(stage.database, { url: receiver.url });
    await stage.start({ DATABASE_URL: relay.url });
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(() => expect(answer).toBeDefined());
    await relay.close();
    answer?.();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await statuses()).toEqual(['sending']);
    await relay.open();
    await eventually(async () => expect(await statuses()).toEqual(['delivered']));
    receiver.respond = (_, response) => void response.writeHead(204).end();
    await recordEvent(stage.database, { subjectId: 8 });
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    await stage.stopNotifiers();
    await relay.close();
  });

  it('when PostgreSQL sends no NOTIFY', async () => {
    await subscribe(stage.database, { url: receiver.url });
    await stage.start();
    await recordEvent(stage.database);
    await eventually(() => expect(receiver.requests).toHaveLength(1));
  });

  it('when the process is killed during an attempt', async () => {
    receiver.respond = () => undefined;
    await subscribe(stage.database, { url: receiver.url });
    const first = await processes.startReady();
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await first.kill('SIGKILL');
    receiver.respond = (_, response) => void response.writeHead(204).end();
    await processes.startReady();
    await eventually(async () => expect(await statuses()).toEqual(['delivered']));
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.requests[1]?.body).toBe(receiver.requests[0]?.body);
    expect(receiver.requests.map(({ headers }) => headers['x-service-notify-attempt'])).toEqual(['1', '2']);
    expect(await readAttempts(stage.database)).toMatchObject([{ state: 'interrupted' }, { state: 'done' }]);
  });

  it('when processes are killed repeatedly', async () => {
    for (let index = 0; index < 4; index++) await subscribe(stage.database, { url: receiver.url });
    let running = await processes.startReady();
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 25; index++) await recordEvent(stage.database, { subjectId: round * 25 + index });
      await stage.wake();
      await eventually(() => expect(receiver.requests.length).toBeGreaterThan(round * 100 + 20));
      await running.kill('SIGKILL');
      running = await processes.startReady();
    }
    await eventually(
      async () =>
        expect((await readDeliveries(stage.database)).filter(({ status }) => status === 'delivered')).toHaveLength(300),
      RECOVERY_MS,
    );
    expect(new Set(messageIds()).size).toBe(300);
    // Each kill may repeat at most 32 messages: 16 whose results were not stored yet, and 16 whose attempts were
    // running.
    expect(messageIds().length).toBeLessThanOrEqual(300 + 3 * 2 * 16);
  });
});

describe('a posting', () => {
  it('raises an event when its dates make it live', async () => {
    await stage.database.query(`
      INSERT INTO users (id, type, firstname, lastname, email) VALUES (3, 'recruiter', 'R', 'R', 'r@example.com');
      INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (21, 'vacancy', 'One', 302, 1);
      INSERT INTO job_boards (id, name, code) VALUES (31, 'Board', 'board');
      INSERT INTO postings (id, title, job_board_id, vacancy_id, opening_date, known_status) VALUES (41, 'P', 31, 21,
        '2020-01-01', 'scheduled')`);
    await subscribe(stage.database, {
      type: 'POSTING_UPDATE',
      expression: 'posting.status == "live"',
      url: receiver.url,
    });
    await stage.start();
    await eventually(() =>
      expect(receiver.requests[0]?.message['details']).toMatchObject({
        id: 41,
        job_board: { id: 31 },
        vacancy: { id: 21 },
      }),
    );
  });
});

describe('the notifier process', () => {
  it('finishes running work after SIGTERM and exits with 0', async () => {
    let answer: (() => void) | undefined;
    receiver.respond = (_, response) => (answer = () => void response.writeHead(204).end());
    await subscribe(stage.database, { url: receiver.url });
    const running = await processes.startReady();
    await recordEvent(stage.database);
    await stage.wake();
    await eventually(() => expect(answer).toBeDefined());
    const exited = running.kill('SIGTERM');
    await eventually(() => expect(running.output).toContain('the notifier is stopping'));
    await recordEvent(stage.database, { subjectId: 8 });
    await stage.wake();
    await new Promise((resolve) => setTimeout(resolve, 300));
    answer?.();
    expect(await exited).toEqual({ code: 0, signal: null });
    expect((await readDeliveries(stage.database))[0]).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(receiver.requests).toHaveLength(1);
  });

  it('logs neither secrets nor the bodies of messages and answers', async () => {
    receiver.respond = (_, response) => void response.writeHead(500).end('a private answer');
    const { signingKey } = await subscribe(stage.database, { url: `${receiver.url}?token=private-token` });
    const running = await processes.startReady({ LOG_LEVEL: 'trace' });
    await recordEvent(stage.database, { facts: { 'application.user.firstname': 'Private-Name' } });
    await stage.wake();
    // The delivery is `due` before and after its attempt, so the test also waits for the number of attempts.
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([{ status: 'due', attempts: 1 }]),
    );
    await running.kill('SIGTERM');
    expect(running.output).toContain('attempt finished');
    for (const secret of [
      signingKey,
      SECRET_KEY,
      'private',
      'Private-Name',
      'message_id',
      new URL(stage.testDatabase.url).password,
    ]) {
      expect(running.output).not.toContain(secret);
    }
  });
});
