import { expect, it } from '@jest/globals';
import { useEmptyDatabase } from '../../test/test-server.js';

const own = useEmptyDatabase({ poolSize: 1 });

const readPid = async (name: string): Promise<number | undefined> => {
  const { rows } = await own.database.dedicated(name).query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
};

it('a name has one connection of its own, which stays open', async () => {
  const [first, second] = await Promise.all([readPid('first'), readPid('first')]);
  expect(second).toBe(first);
  expect(await readPid('second')).not.toBe(first);
  expect(await readPid('first')).toBe(first);
  expect(own.database.pools.slice(-2)).toEqual([
    { pool: 'first', size: 1, idle: 1, busy: 0, waiting: 0 },
    { pool: 'second', size: 1, idle: 1, busy: 0, waiting: 0 },
  ]);
});

it('statements of a dedicated connection are sent at once, and a failed transaction is rolled back', async () => {
  const client = await own.database.dedicated('first').connect();
  await client.query('CREATE TABLE numbers (n integer)');
  const answers = await Promise.allSettled(
    [
      'BEGIN',
      'INSERT INTO numbers VALUES (1)',
      'SELECT 1 / 0',
      'COMMIT',
      'SELECT count(*)::integer AS n FROM numbers',
    ].map((text) => client.query<{ n: number }>(text)),
  );
  client.release();
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(answers.at(-1)).toMatchObject({ value: { rows: [{ n: 0 }] } });
});

it('a dedicated connection that was lost is replaced', async () => {
  const before = await readPid('first');
  await own.database.query('SELECT pg_terminate_backend($1, 5000)', [before]);
  await expect(readPid('first').catch(() => readPid('first'))).resolves.not.toBe(before);
});
