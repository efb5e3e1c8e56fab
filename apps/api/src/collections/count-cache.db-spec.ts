// @group sample: npm test runs a quarter of its tests
import { setTimeout as sleep } from 'node:timers/promises';
import { SNAPSHOT } from '@ats/postgres';
import { useTestDatabase } from '@ats/domain/testing';
import { describe, expect, test } from '@jest/globals';
import { CountCache, type CountResult } from './count-cache.js';

const own = useTestDatabase();

async function snapshot(): Promise<string> {
  const [row] = await own.database.reading.query<{ snapshot: string }>({
    text: `SELECT ${SNAPSHOT} AS snapshot`,
    parameters: [],
  });
  return row?.snapshot ?? '';
}

const insert = (name: string): Promise<unknown> =>
  own.database.query('INSERT INTO job_boards (name, code) VALUES ($1, $1)', [name]);

/**
 * Repeats an attempt until it succeeds. A write to another database of the same server also changes snapshots, which
 * can make an attempt fail.
 */
async function eventually(attempt: () => Promise<boolean>): Promise<void> {
  while (!(await attempt())) await sleep(1);
}

describe('the snapshot of a statement', () => {
  test('stays the same while transactions only read or are rolled back without writes', async () => {
    const open = await own.database.pool.connect();
    // Each attempt has fewer readers than the one before, and so takes less time. A write to another database is then
    // less likely to happen during an attempt.
    let readers = 16;
    await eventually(async () => {
      readers = Math.max(1, readers - 1);
      const before = await snapshot();
      await open.query('BEGIN; SELECT count(*) FROM job_boards');
      const during = await Promise.all(Array.from({ length: readers }, snapshot));
      await open.query('ROLLBACK');
      return [...during, await snapshot()].every((text) => text === before);
    });
    open.release();
  });

  test('changes with every commit, even that of a transaction that began long ago', async () => {
    const old = await own.database.pool.connect();
    await old.query('BEGIN');
    await old.query(`INSERT INTO job_boards (name, code) VALUES ('old', 'old')`);
    const seen = [await snapshot()];
    for (const write of [
      () => insert('one'),
      () => old.query('COMMIT'),
      () => insert('two'),
      () => own.database.query(`DELETE FROM job_boards WHERE code = 'two'`),
    ]) {
      await write();
      const after = await snapshot();
      expect(seen).not.toContain(after);
      seen.push(after);
    }
    old.release();
  });

  test('has the same value throughout one statement', async () => {
    const text = `SELECT count(*) AS total, ${SNAPSHOT} AS before, (SELECT pg_sleep(0.2)) AS pause,
      ${SNAPSHOT} AS after FROM job_boards`;
    const counting = own.database.counting.query<{ before: string; after: string }>({ text, parameters: [] });
    await insert('while counting');
    const [row] = await counting;
    expect(row?.after).toBe(row?.before);
  });
});

describe('counts while other clients write', () => {
  const CREDENTIALS = [1, 2, 3];
  const WRITING_MS = 3_000;
  /** Minimum number of commits before the test ends, however slow the machine is. */
  const COMMITS = 10;
  /** Maximum age of a served count when it is requested. */
  const OLDEST_MS = 2_000;
  /** A column that makes the counting statement slow enough for the cache to keep its count. */
  const SLOW = '(SELECT pg_sleep(0.02)) AS pause';
  const counts = new CountCache(2);
  /** Stands for the cache of another process. This cache is not told about the writes. */
  const elsewhere = new CountCache(2);
  /** The number of statements that `counts` has sent, and the number of pages that it has served. */
  let [sent, pages] = [0, 0];
  let startedAt = 0;
  const elapsed = (): number => performance.now() - startedAt;
  /** The commits in the order of their acknowledgements. */
  const commits: { readonly at: number; readonly credentialId: number }[] = [];
  let hasFailed = false;
  /**
   * True until `WRITING_MS` are over, `COMMITS` commits are made, and the cache has sent fewer statements than it has
   * served pages. On a slow machine, the commits and the statements take longer.
   */
  const isWriting = (): boolean => !hasFailed && (elapsed() < WRITING_MS || commits.length < COMMITS || sent >= pages);
  const committedAt = (moment: number): number => commits.filter(({ at }) => at <= moment).length;

  async function write(credentialId: number): Promise<void> {
    for (let index = 0; isWriting(); index++) {
      const isKept = Math.random() < 0.8;
      await own.database
        .transaction(async (transaction) => {
          await transaction.query('INSERT INTO job_boards (name, code) VALUES ($1, $1)', [
            `written ${credentialId} ${index}`,
          ]);
          await sleep(Math.random() * 30);
          if (!isKept) throw new Error('rolled back by the test');
        })
        .then(() => {
          commits.push({ at: elapsed(), credentialId });
          counts.noteWrite(credentialId);
        })
        .catch(() => undefined);
      await sleep(Math.random() ** 4 * 1_500);
    }
  }

  const run = async (): Promise<CountResult> => {
    const text = `SELECT count(*) AS total, ${SNAPSHOT} AS snapshot, ${SLOW} FROM job_boards
      WHERE name LIKE 'written %'`;
    const [row] = await own.database.counting.query<CountResult>({ text, parameters: [] });
    if (!row) throw new Error('the query for the count returned no row');
    return row;
  };

  /** Requests a count. Returns undefined when the machine was too slow to count in time. */
  const count = async (credentialId: number, cache = counts): Promise<number | undefined> => {
    const since = performance.now();
    const runOf = (): Promise<CountResult> => {
      if (cache === counts) sent++;
      return run();
    };
    return cache.count({ key: 'written', snapshot: await snapshot(), since, credentialId, run: runOf });
  };

  async function watch(): Promise<void> {
    while (isWriting()) {
      const askedAt = elapsed();
      const total = await count(4, elsewhere);
      if (total !== undefined) expect(total).toBeGreaterThanOrEqual(committedAt(askedAt - OLDEST_MS));
      await sleep(1);
    }
  }

  /**
   * Requests counts until the writes end. Expects each count to include the credential's own commits, and all commits
   * that are older than `OLDEST_MS`.
   */
  async function read(credentialId: number): Promise<void> {
    while (isWriting()) {
      const askedAt = elapsed();
      const own = commits.findLastIndex((commit) => commit.credentialId === credentialId);
      const ownAt = commits[own]?.at ?? 0;
      const total = await count(credentialId);
      if (total !== undefined) {
        pages++;
        expect(total).toBeGreaterThanOrEqual(committedAt(askedAt - OLDEST_MS));
        expect(total).toBeGreaterThanOrEqual(committedAt(ownAt));
      }
      await sleep(1);
    }
  }

  test("are at most two seconds old, include the client's own writes, and are exact after the last write", async () => {
    startedAt = performance.now();
    await Promise.all([...CREDENTIALS.map(read), watch(), ...CREDENTIALS.map(write)]).catch((error: unknown) => {
      hasFailed = true; // Ends the loops that are still reading and writing.
      throw error;
    });

    await sleep(2_001);
    for (const cache of [counts, elsewhere]) {
      let total: number | undefined;
      await eventually(async () => (total = await count(4, cache)) !== undefined);
      expect(total).toBe(commits.length);
    }
  });
});
