// @group long: starts a primary and a replica
import { type CommitPosition, runStatement, SNAPSHOT, withCommitPosition } from '@ats/postgres';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ReplicaPair, until } from './replica-pair.js';

let pair: ReplicaPair;

beforeAll(async () => {
  pair = await ReplicaPair.start();
});
afterAll(() => (pair as ReplicaPair | undefined)?.close());

describe('positions and snapshots of PostgreSQL', () => {
  test('a commit position may be ahead of the flushed log, and the replica still reaches it', async () => {
    const { database } = pair.api;
    let committed: CommitPosition | undefined;
    let flushed: number | undefined;
    do {
      await database.transaction(async (transaction) => {
        committed = withCommitPosition(transaction);
        await runStatement(transaction, 'UPDATE systems SET name = name');
      });
      [{ flushed }] = (await database.query<{ flushed: number }>(
        `SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint AS flushed`,
      )) as [{ flushed: number }];
    } while (flushed >= (committed?.position ?? 0));
    await until(
      async () =>
        (
          await pair.server.run<{ is: boolean }>(
            'replica',
            `SELECT pg_last_wal_replay_lsn() - '0/0' >= ${committed?.position} AS is`,
          )
        )[0]?.is === true,
    );
  });

  test('equal snapshots of a replica may show different rows', async () => {
    await pair.server.run('primary', 'CREATE TABLE seen (id int)', pair.databaseName);
    const add = async (): Promise<() => Promise<void>> => {
      const client = await pair.api.database.pool.connect();
      await client.query('BEGIN');
      await client.query('INSERT INTO seen VALUES (1)');
      return () => client.query('COMMIT').then(() => client.release());
    };
    const look = async (found: number): Promise<unknown> => {
      let row: { readonly found: number; readonly snapshot: string } | undefined;
      const text = `SELECT count(*)::int AS found, ${SNAPSHOT} AS snapshot FROM seen`;
      await until(async () => {
        // The query fails until the replica has the table.
        [row] = await pair.server.run<NonNullable<typeof row>>('replica', text, pair.databaseName).catch(() => []);
        return row?.found === found;
      });
      return row?.snapshot;
    };
    const [endOldest, endNext] = [await add(), await add()];
    try {
      await pair.server.run('primary', 'INSERT INTO seen VALUES (1)', pair.databaseName);
      const before = await look(1);
      await endNext();
      expect(await look(2)).toBe(before);
    } finally {
      await endOldest();
    }
  });
});
