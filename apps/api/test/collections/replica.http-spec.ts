// @group long: starts a primary and a replica
import { randomInt } from 'node:crypto';
import { Dice, drawSeed } from '@ats/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { RedisLink } from '../../src/config/redis-link.js';
import { expectStatus } from '../support/factories.js';
import {
  addEvent,
  board,
  expectOwnWrites,
  expectPrimary,
  whileReplayIsPaused,
  whileReplicaIsProbed,
} from './replica-expectations.js';
import { ReplicaPair, until } from './replica-pair.js';

let pair: ReplicaPair;

beforeAll(async () => {
  pair = await ReplicaPair.start();
});
afterAll(() => (pair as ReplicaPair | undefined)?.close());

/** Runs a scenario that expects reads from the replica while the replica replays no commits. */
const onPausedReplica = (work: () => Promise<void>): Promise<void> =>
  whileReplicaIsProbed(pair, () => whileReplayIsPaused(pair, work));

describe('a page of a collection', () => {
  test('is read and counted on the replica, not on the primary', () =>
    onPausedReplica(async () => {
      const { first, second, reader } = pair;
      const before = await second.boards(reader);
      const { code } = await first.post(pair.writer, '/job_boards', board());
      for (const process of pair.processes) expect(await process.boards(reader)).toEqual(before);
      expect(before.codes).not.toContain(code);
    }));

  test('shows a client all its own writes in every process, and counts them', () =>
    whileReplayIsPaused(pair, async () => {
      const { codes, total } = await pair.first.boards(pair.writer);
      for (const { writing, reading } of pair.ways) {
        const { code } = await writing.post(pair.writer, '/job_boards', board());
        (codes as string[]).push(String(code));
        for (const process of [reading, writing])
          expect(await process.boards(pair.writer)).toEqual({ codes, total: codes.length });
      }
      expect(codes.length).toBe(total + 2);
    }));

  test('shows a write to all clients once the replica has it, and its writer reads the replica again', async () => {
    const { code } = await pair.first.post(pair.writer, '/job_boards', board());
    for (const process of pair.processes) {
      await until(async () => (await process.boards(pair.reader)).codes.includes(String(code)));
      await process.untilReplicaIsRead(pair.writer);
      expect((await process.boards(pair.writer)).codes).toContain(code);
    }
  });
});

test('quick search reads from the replica', () =>
  onPausedReplica(async () => {
    const lastname = `Q${randomInt(2 ** 40).toString(36)}`;
    await pair.first.post(pair.writer, '/candidates', { firstname: 'Ada', lastname, email: `${lastname}@example.com` });
    const find = async (token: string): Promise<string> =>
      expectStatus(200, await pair.second.get(token, `/api/quick_search?q=${lastname}`)).text;
    expect(await find(pair.writer)).toContain(lastname);
    expect(await find(pair.reader)).not.toContain(lastname);
  }));

test('single items are read from the primary', () =>
  whileReplayIsPaused(pair, async () => {
    const { id } = await pair.first.post(pair.writer, '/job_boards', board());
    expectStatus(200, await pair.second.get(pair.reader, `/job_boards/${id}`));
  }));

describe('a client that follows the events', () => {
  const follow = async (query = ''): Promise<readonly number[]> =>
    expectStatus(
      200,
      await pair.second.get(pair.reader, `/notification_events?${query}sort=id!asc&per_page=1000`),
    ).items.map(({ id }) => id);

  test('misses no event when the replica has a later event but not an earlier one', () =>
    whileReplicaIsProbed(pair, async () => {
      await pair.make.posting();
      const [{ last } = { last: 0 }] = await pair.api.database.query<{ last: number }>(
        'SELECT max(id) AS last FROM domain_events',
      );
      await until(async () => (await follow()).at(-1) === last);
      const known = await follow();
      const [earlier, later] = [await addEvent(pair, last), await addEvent(pair, last)];
      await later.commit();
      try {
        await until(async () => (await follow()).includes(later.id));
      } catch (error) {
        await earlier.commit();
        throw error;
      }
      await whileReplayIsPaused(pair, async () => {
        await earlier.commit();
        // The replica has only the later event. A client that continued after it would miss the earlier one.
        expect(await follow()).toEqual([...known, later.id]);
        expect(await follow(`since_id=${last}&`)).toEqual([earlier.id, later.id]);
      });
    }));
});

describe('a failing replica', () => {
  test('is replaced by the primary after a kill, until it has restarted', async () => {
    await pair.untilReplicaIsRead();
    await pair.server.endReplica('SIGKILL');
    await expectPrimary(pair);
    await pair.server.startReplica();
    await pair.untilReplicaIsRead();
  });

  test('is replaced by the primary when it hangs, even for running reads', async () => {
    const reads = await pair.readsOfReplica();
    const waiting = reads.reading.query<{ one: number }>({
      text: 'SELECT 1 AS one FROM pg_sleep(0.3)',
      parameters: [],
    });
    pair.wayToReplica.setSilent(true);
    await expectPrimary(pair);
    expect(await waiting).toEqual([{ one: 1 }]);
    pair.wayToReplica.setSilent(false);
    await pair.untilReplicaIsRead();
  });

  /**
   * Returns a function that ends the sleeping statement of a page on the replica, with a function such as
   * `pg_cancel_backend`.
   */
  const signal = (name: string) => () =>
    pair.server.run('replica', `SELECT ${name}(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`);
  const replayConflict = (): Promise<unknown> => pair.server.run('primary', 'TRUNCATE conflicts', pair.databaseName);

  test.each([
    ['replay conflicts with the statement', replayConflict],
    ['an operator cancels the statement', signal('pg_cancel_backend')],
    ['an operator ends the connection', signal('pg_terminate_backend')],
  ])('is replaced by the primary when %s', async (_reason, end) => {
    await pair.server.run('primary', 'CREATE TABLE IF NOT EXISTS conflicts (id int)', pair.databaseName);
    await until(
      async () =>
        (
          await pair.server.run<{ is: boolean }>(
            'replica',
            `SELECT to_regclass('conflicts') IS NOT NULL AS is`,
            pair.databaseName,
          )
        )[0]?.is === true,
    );
    const reads = await pair.readsOfReplica();
    const { failed } = pair.first.replica.measures.fallbacks;
    const text = `SELECT pg_is_in_recovery() AS "isReplica", (SELECT count(*) FROM conflicts) AS found,
      CASE WHEN pg_is_in_recovery() THEN pg_sleep(20)::text END AS slept`;
    const answer = reads.reading.query({ text, parameters: [] });
    await until(
      async () =>
        (await pair.server.run('replica', `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).length === 1,
    );
    await end();
    expect(await answer).toEqual([{ isReplica: false, found: 0, slept: null }]);
    expect(pair.first.replica.measures.fallbacks.failed).toBe(failed + 1);
  });
});

describe('a client reads its own writes', () => {
  afterEach(async () => {
    await pair.redisOfSecond.open();
    pair.redisOfSecond.setSilent(false);
    await pair.untilReplicaIsRead();
  });

  test('while Redis is unavailable for one process', () =>
    whileReplayIsPaused(pair, async () => {
      await pair.redisOfSecond.close();
      await expectOwnWrites(pair);
      await pair.redisOfSecond.open();
      await until(() => Promise.resolve(pair.second.app.get(RedisLink).isUp));
      await expectOwnWrites(pair);
    }));

  test('while Redis hangs for one process', () =>
    whileReplayIsPaused(pair, async () => {
      pair.redisOfSecond.setSilent(true);
      await expectOwnWrites(pair);
      pair.redisOfSecond.setSilent(false);
      await expectOwnWrites(pair);
      await until(() => Promise.resolve(pair.second.app.get(RedisLink).isUp));
      await expectOwnWrites(pair);
    }));

  test('after Redis has lost all positions of writes', () =>
    whileReplayIsPaused(pair, async () => {
      const { code } = await pair.first.post(pair.writer, '/job_boards', board());
      await pair.second.app
        .get(RedisLink)
        .ask((redis) => redis.eval(`return redis.call('DEL', unpack(redis.call('KEYS', 'ats:{written-*')))`, 0));
      for (const process of pair.processes) expect((await process.boards(pair.writer)).codes).toContain(code);
    }));
});

test('a client always sees its own writes, however far the replica lags', async () => {
  const seed = drawSeed('REPLICA_SEED');
  const dice = new Dice(seed);
  const clients = await Promise.all(
    [1, 2].map(async () => ({
      token: (await pair.make.credential({ scopes: ['*:read', '*:write'] })).token,
      last: '',
    })),
  );
  await pair.untilReplicaIsRead();
  const readsBefore = pair.first.replica.measures.reads + pair.second.replica.measures.reads;
  let isPaused = false;
  for (let step = 0; step < 80; step++) {
    const client = dice.one(clients);
    const process = dice.one(pair.processes);
    if (dice.chance(0.15)) {
      isPaused = !isPaused;
      await (isPaused ? pair.server.pauseReplay() : pair.server.resumeReplay());
    } else if (dice.chance(0.4)) {
      client.last = String((await process.post(client.token, '/job_boards', board())).code);
    } else {
      const { codes, total } = await process.boards(client.token);
      if (client.last) expect([seed, step, codes.includes(client.last)]).toEqual([seed, step, true]);
      expect([seed, step, total]).toEqual([seed, step, codes.length]);
    }
    if (dice.chance(0.1)) await new Promise((resolve) => setTimeout(resolve, 250));
  }
  if (isPaused) await pair.server.resumeReplay();
  await pair.untilReplicaIsRead();
  expect(pair.first.replica.measures.reads + pair.second.replica.measures.reads).toBeGreaterThan(readsBefore);
});

test('a replica that lags more than 5 seconds is not read', async () => {
  await whileReplayIsPaused(pair, async () => {
    const { code } = await pair.first.post(pair.writer, '/job_boards', board());
    await until(() => Promise.resolve(pair.processes.every(({ replica }) => replica.refusal === 'lagging')));
    expect(pair.first.replica.measures.lagSeconds).toBeGreaterThan(5);
    expect((await pair.first.boards(pair.reader)).codes).toContain(code);
  });
  await pair.untilReplicaIsRead();
});

test('a promoted replica is not read any more', async () => {
  await pair.untilReplicaIsRead();
  await pair.server.run('replica', 'SELECT pg_promote()');
  await until(() => Promise.resolve(pair.processes.every(({ replica }) => replica.refusal === 'promoted')));
  const { code } = await pair.first.post(pair.writer, '/job_boards', board());
  for (const process of pair.processes) expect((await process.boards(pair.reader)).codes).toContain(code);
});
