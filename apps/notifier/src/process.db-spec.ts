// @group long: it starts notifiers as processes
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../test/eventually.js';
import { BASE_URL, SECRET_KEY } from '../test/fixtures.js';
import { NotifierProcess, useProcesses } from '../test/notifier-process.js';
import { useStage } from '../test/running-notifier.js';
import { TcpRelay } from '@ats/postgres/testing';

/**
 * Time for which the process may wait for running work. This spec has no running work, so the process must end earlier.
 */
const DRAIN_MS = 25_000;

const stage = useStage();
const processes = useProcesses(() => ({
  DATABASE_URL: stage.testDatabase.url,
  REDIS_URL: stage.redisUrl,
  PUBLIC_BASE_URL: BASE_URL,
  SECRET_KEY,
}));

afterEach(() => stage.redis.flushdb());

describe('the notifier process', () => {
  it('stops soon while Redis does not answer', async () => {
    const relay = await TcpRelay.before(stage.redisUrl);
    const running = await processes.startReady({ REDIS_URL: relay.url });
    await relay.holdBack();
    const startedAt = performance.now();
    expect(await running.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(DRAIN_MS);
    await relay.close();
  });

  it('logs once that PostgreSQL is unavailable, regardless of retries', async () => {
    const relay = await TcpRelay.before(stage.testDatabase.url);
    const running = await processes.startReady({ DATABASE_URL: relay.url });
    const before = running.lines.length;
    await relay.close();
    // Five failed rounds must pass. There is about one each second.
    await eventually(async () =>
      expect(await running.metrics()).toMatch(/step_failures_total\{loop="matching"\} ([5-9]|\d\d)/),
    );
    const logged = running.lines
      .slice(before)
      .filter(({ level }) => level !== 'info')
      .map(({ msg, loop }) => [msg, loop].join(' '));
    expect(logged.filter((line) => line.startsWith('PostgreSQL is unavailable'))).toHaveLength(1);
    // An error may be logged twice: for work that was already running, and for work that started before the outage was
    // detected.
    expect(logged.filter((line) => logged.filter((other) => other === line).length > 2)).toEqual([]);
  });

  it('names every wrong variable in one message, and exits with 1', async () => {
    const running = await NotifierProcess.start({
      DATABASE_URL: 'mysql://nowhere',
      SECRET_KEY: 'short',
      NOTIFIER_PORT: 'x',
      DELIVERY_SCHEDULE: '5,a',
      LOG_LEVEL: 'loud',
    });
    expect(await running.exited).toEqual({ code: 1, signal: null });
    for (const name of [
      'DATABASE_URL',
      'REDIS_URL',
      'PUBLIC_BASE_URL',
      'SECRET_KEY',
      'NOTIFIER_PORT',
      'DELIVERY_SCHEDULE',
      'LOG_LEVEL',
    ]) {
      expect(running.output).toContain(name);
    }
    expect(running.output).not.toContain('nowhere');
  });

  it('is live but not ready before the migrations have run', async () => {
    await stage.database.query(`UPDATE migrations SET name = 'x' || name WHERE name LIKE 'CreateNotifications%'`);
    const running = await processes.start();
    await eventually(async () => expect(await running.health('live')).toEqual({ status: 200, body: { status: 'ok' } }));
    await eventually(async () =>
      expect(await running.health('ready')).toEqual({
        status: 503,
        body: {
          message: 'The service is not ready',
          status: 'unavailable',
          checks: { database: 'up', migrations: 'down', redis: 'up' },
          warnings: [],
        },
      }),
    );
    await stage.database.query(`UPDATE migrations SET name = substr(name, 2) WHERE name LIKE 'xCreateNotifications%'`);
    await eventually(async () => expect((await running.health('ready')).status).toBe(200));
  });
});
