// @group sample: npm test runs a quarter of its tests
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TcpRelay } from '../../test/tcp-relay.js';
import { useEmptyDatabase } from '../../test/test-server.js';
import { Database } from './database.js';
import { ReadPool, type ReadPoolOptions } from './read-pool.js';

const pools: ReadPool[] = [];

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
});

const own = useEmptyDatabase();
beforeAll(() => own.database.query('CREATE TABLE systems (name text)'));

function makePool(options: Partial<ReadPoolOptions> = {}): ReadPool {
  const defaults = {
    url: own.url,
    applicationName: 'spec pool',
    size: 1,
    statementTimeoutMs: 120_000,
    connectionTimeoutMs: 60_000,
  };
  const pool = new ReadPool({ ...defaults, ...options });
  pools.push(pool);
  return pool;
}

const read = <Row extends object>(pool: ReadPool, text: string, ...parameters: unknown[]): Promise<Row[]> =>
  pool.query<Row>({ text, parameters });
const pidOf = async (pool: ReadPool): Promise<number> =>
  (await read<{ pid: number }>(pool, 'SELECT pg_backend_pid() AS pid'))[0]?.pid ?? 0;
const terminate = (pid: number): Promise<unknown> => own.database.query('SELECT pg_terminate_backend($1, 5000)', [pid]);

/** Repeats an attempt until it succeeds. On a busy machine, an attempt may exceed the short limits of a test. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await new Promise(setImmediate);
    }
  }
}

interface RunningStatement {
  readonly answer: Promise<unknown>;
  /** The process id of the connection on the server. */
  readonly pid: number;
}

/** Runs `work` while a statement runs on the pool. Then lets the statement finish. */
async function whileRunning(pool: ReadPool, work: (statement: RunningStatement) => Promise<void>): Promise<void> {
  const holder = await own.database.pool.connect();
  const lock = Math.trunc(Math.random() * 2 ** 31);
  await holder.query('SELECT pg_advisory_lock($1)', [lock]);
  const answer = read(pool, 'SELECT pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)', lock);
  answer.catch(() => undefined);
  try {
    const pid = await eventually(async () => {
      const [row] = await own.database.query<{ pid: number }>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`,
        [lock],
      );
      if (!row) throw new Error('the statement does not run yet');
      return row.pid;
    });
    await work({ answer, pid });
  } finally {
    await holder.query('SELECT pg_advisory_unlock($1)', [lock]);
    holder.release();
  }
}

/** The properties of the error with which a statement must reject, without the cause. */
const unavailable = (reason: string): object => ({
  name: 'DatabaseUnavailableError',
  code: 'database_unavailable',
  message: `the database is unavailable: ${reason}`,
});

describe('the pools of a database', () => {
  it.each([
    ['reading', { application_name: 'spec reading', statement_timeout: '10s' }],
    ['counting', { application_name: 'spec counting', statement_timeout: '2s' }],
  ] as const)('%s has the settings that its statements need', async (name, settings) => {
    const rows = await read<{ name: string; setting: string }>(
      own.database[name],
      `SELECT name, current_setting(name) AS setting FROM unnest($1::text[]) AS name`,
      ['application_name', 'statement_timeout', 'jit', 'TimeZone', 'transaction_read_only'],
    );
    const found = Object.fromEntries(rows.map((row) => [row.name, row.setting]));
    expect(found).toEqual({ ...settings, jit: 'off', TimeZone: 'UTC', transaction_read_only: 'on' });
  });

  it('return counts as numbers and dates as text', async () => {
    const text = `SELECT count(*) AS total, DATE '2026-11-21' AS day FROM (VALUES (1), (2)) v`;
    expect(await read(own.database.reading, text)).toEqual([{ total: 2, day: '2026-11-21' }]);
    expect(await read(own.database.counting, text)).toEqual(await own.database.query(text));
  });

  it('hold at most the configured connections, and none before it is needed', async () => {
    const sized = await Database.connect({ url: own.url, applicationName: 'sized', poolSize: 1, readPoolSize: 3 });
    const held = () =>
      own.database.query(
        `SELECT application_name AS name, count(*) AS connections FROM pg_stat_activity
         WHERE application_name LIKE 'sized%' GROUP BY 1 ORDER BY 1`,
      );
    expect(await held()).toEqual([{ name: 'sized', connections: 1 }]);
    await Promise.all(
      Array.from({ length: 12 }, () => [read(sized.reading, 'SELECT 1'), read(sized.counting, 'SELECT 1')]).flat(),
    );
    expect(await held()).toEqual([
      { name: 'sized', connections: 1 },
      { name: 'sized counting', connections: 2 },
      { name: 'sized reading', connections: 3 },
    ]);
    await sized.close();
    await sized.close();
    await eventually(async () => expect(await held()).toEqual([]));
    await expect(read(sized.reading, 'SELECT 1')).rejects.toMatchObject(unavailable('its connections are closed'));
  });
});

describe('ReadPool', () => {
  it('refuses to write', async () => {
    await expect(read(makePool(), `UPDATE systems SET name = 'x'`)).rejects.toMatchObject({ code: '25006' });
  });

  it('cancels a statement that takes too long, and keeps the connection', async () => {
    const pool = makePool({ statementTimeoutMs: 500, graceMs: 60_000 });
    const pid = await eventually(() => pidOf(pool));
    await expect(read(pool, 'SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    expect(await eventually(() => pidOf(pool))).toBe(pid);
  });

  it('prepares a named statement once per connection', async () => {
    const pool = makePool();
    const statement = { name: 'sum', text: 'SELECT $1::int + 1 AS sum', parameters: [1] };
    expect([await pool.query(statement), await pool.query({ ...statement, parameters: [2] })]).toEqual([
      [{ sum: 2 }],
      [{ sum: 3 }],
    ]);
    expect(await read(pool, 'SELECT name FROM pg_prepared_statements')).toEqual([{ name: 'sum' }]);
  });

  it('replaces a connection that has prepared the maximum of statements', async () => {
    const pool = makePool({ maxPrepared: 3 });
    const pidWith = async (name: string): Promise<unknown> =>
      (await pool.query({ name, text: `SELECT pg_backend_pid() AS pid, '${name}' AS name`, parameters: [] }))[0];
    const pids: unknown[] = [];
    for (const name of ['a', 'b', 'a', 'b', 'a', 'c', 'a', 'b', 'c', 'a'])
      pids.push(((await pidWith(name)) as { readonly pid: number }).pid);
    const [first, second, third] = [...new Set(pids)];
    expect(pids).toEqual([first, first, first, first, first, first, second, second, second, third]);
  });

  it('rejects when no connection becomes free in time, and serves again once one is free', async () => {
    const pool = makePool({ connectionTimeoutMs: 1_000 });
    await eventually(() => pidOf(pool));
    await whileRunning(pool, () =>
      expect(read(pool, 'SELECT 1')).rejects.toMatchObject(unavailable('no connection became free in time')),
    );
    expect(await eventually(() => read(pool, 'SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('survives the loss of an idle connection', async () => {
    const pool = makePool();
    const pid = await pidOf(pool);
    await terminate(pid);
    expect(await eventually(() => pidOf(pool))).not.toBe(pid);
  });

  it('survives the loss of a connection during a statement', async () => {
    const pool = makePool();
    await whileRunning(pool, async ({ answer, pid }) => {
      await terminate(pid);
      await expect(answer).rejects.toMatchObject({ code: '57P01' });
      expect(await pidOf(pool)).not.toBe(pid);
    });
  });

  it('replaces a connection that is older than its maximum lifetime', async () => {
    const pool = makePool({ maxLifetimeSeconds: 0.05 });
    const pid = await pidOf(pool);
    await eventually(async () => expect(await pidOf(pool)).not.toBe(pid));
  });

  it('rejects when no server listens', async () => {
    await expect(read(makePool({ url: 'postgres://127.0.0.1:1/none' }), 'SELECT 1')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

describe('a network that fails', () => {
  let relay: TcpRelay;
  let url: string;

  beforeAll(async () => {
    relay = await TcpRelay.before(own.url);
    ({ url } = relay);
  });
  afterAll(() => relay.close());

  it('makes only the running statement reject when it closes connections', async () => {
    const pool = makePool({ url });
    await whileRunning(pool, async ({ answer }) => {
      relay.endConnections();
      await expect(answer).rejects.toMatchObject(unavailable('the connection was lost'));
      expect(await read(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });

  it('makes a statement reject after its time limit, and the pool replaces the connection', async () => {
    const pool = makePool({ url, statementTimeoutMs: 500, graceMs: 50 });
    const pid = await eventually(() => pidOf(pool));
    relay.setSilent(true);
    await expect(read(pool, 'SELECT 1')).rejects.toMatchObject(unavailable('a statement was not answered in time'));
    relay.setSilent(false);
    expect(await eventually(() => pidOf(pool))).not.toBe(pid);
  });
});

describe('the rows of a ReadPool', () => {
  const MIB = 1024 * 1024;
  const rows = (count: number): string => `SELECT repeat('x', ${MIB}) AS text FROM generate_series(1, ${count})`;

  it('are refused above 32 MiB, with one row or with many', async () => {
    const pool = makePool();
    expect(await read(pool, rows(32))).toHaveLength(32);
    for (const text of [rows(33), `SELECT repeat('x', ${33 * MIB}) AS text`])
      await expect(read(pool, text)).rejects.toMatchObject({ name: 'AnswerTooLargeError' });
    expect(await read(pool, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
