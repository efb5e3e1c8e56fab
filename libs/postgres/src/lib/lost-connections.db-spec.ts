import { expect, it } from '@jest/globals';
import { asAdministrator, useEmptyDatabase } from '../../test/test-server.js';

const own = useEmptyDatabase({ poolSize: 1 });
const limited = useEmptyDatabase({ idleInTransactionTimeoutMs: 100 });

it('a Database stays usable after it loses a connection that is in use', async () => {
  for (let lost = 0; lost < 2; lost++) {
    const client = await own.database.pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    await asAdministrator((other) => other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]));
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release();
    expect(await own.database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  }
});

it('a transaction that gets no statement for too long is rolled back, so that others get its locks', async () => {
  const client = await limited.database.pool.connect();
  await client.query('BEGIN; SELECT pg_advisory_xact_lock(1)');
  // This statement waits until the server has ended the transaction, which holds the lock.
  await limited.database.query('SELECT pg_advisory_lock(1)');
  await expect(client.query('COMMIT')).rejects.toThrow();
  client.release(true);
});
