import { describe, expect, it } from '@jest/globals';
import { useEmptyDatabase } from '../../test/test-server.js';
import { endedBetween, readsClock, SNAPSHOT } from './snapshot.js';

const own = useEmptyDatabase();

describe('readsClock', () => {
  it.each([
    'SELECT now()',
    'SELECT 1 WHERE x < CLOCK_TIMESTAMP ( )',
    'closing_date < system_today()',
    'x = current_date',
    'x > LOCALTIMESTAMP(3)',
    'age(k.created_dt) > $1',
  ])('is true for %s', (text) => {
    expect(readsClock(text)).toBe(true);
  });

  it.each([`k.current_title = $1 AND k.known = $2`, 'unknown(x)', 'k.age_days', `extract(epoch FROM k.created_dt)`])(
    'is false for %s',
    (text) => {
      expect(readsClock(text)).toBe(false);
    },
  );
});

describe('endedBetween', () => {
  it.each([
    ['equal snapshots', '1.5 10:12:10', '1.5 10:12:10', []],
    ['later transactions', '1.5 10:12:10', '1.5 10:14:10', [12, 13]],
    ['a transaction that was running', '1.5 10:12:10,11', '1.5 11:13:11', [10, 12]],
    ['a new transaction that is still running', '1.5 12:12:', '1.5 12:14:12', [13]],
    ['an old transaction that runs in both', '1.5 1:1000012:1', '1.5 1:1000013:1', [1000012]],
    ['the start of another server', '1.5 12:12:', '1.6 12:12:', undefined],
    ['too many transactions', '1.5 12:12:', '1.5 1013:1013:', undefined],
    ['an empty text', '', '1.5 12:12:', undefined],
  ])('returns the transactions in either order, for %s', (_, one, other, expected) => {
    expect(endedBetween(one, other)).toEqual(expected);
    expect(endedBetween(other, one)).toEqual(expected);
  });

  it('contains the transactions that end between two statements, and no running ones', async () => {
    const text = `SELECT ${SNAPSHOT} AS snapshot, pg_current_xact_id()::text AS transaction`;
    const [running, ended] = await Promise.all([own.database.pool.connect(), own.database.pool.connect()]);
    const query = async (client: typeof running): Promise<{ snapshot: string; transaction: string }> =>
      (await client.query<{ snapshot: string; transaction: string }>(text)).rows[0] ?? {
        snapshot: '',
        transaction: '',
      };
    await running.query('BEGIN');
    const { snapshot: before, transaction: open } = await query(running);
    const { transaction: closed } = await query(ended);
    const [after] = await own.database.query<{ snapshot: string }>(`SELECT ${SNAPSHOT} AS snapshot`);
    const found = endedBetween(before, after?.snapshot ?? '');
    expect(found).toContain(Number(closed));
    expect(found).not.toContain(Number(open));
    await running.query('ROLLBACK');
    running.release();
    ended.release();
  });
});

describe('SNAPSHOT', () => {
  const text = `SELECT ${SNAPSHOT} AS snapshot`;
  const snapshot = async (): Promise<string> => {
    const [row] = await own.database.reading.query<{ snapshot: string }>({ text, parameters: [] });
    return row?.snapshot ?? '';
  };
  const snapshotElsewhere = async (): Promise<string> =>
    (await own.database.query<{ snapshot: string }>(text))[0]?.snapshot ?? '';

  it('is the same on every connection as long as nothing is written', async () => {
    // Other specs write to other databases of the server. So the test repeats the comparison until nothing was written
    // between `before` and `after`.
    let [before, between, after] = ['', '', ' '];
    while (before !== after) {
      before = await snapshot();
      between = await snapshotElsewhere();
      after = await snapshot();
    }
    expect(between).toBe(before);
    expect(between).toMatch(/^[\d.]+ \d+:\d+:/);
  });

  it('contains the start time of the server', async () => {
    const [row] = await own.database.query<{ started: string }>(
      'SELECT extract(epoch FROM pg_postmaster_start_time())::text AS started',
    );
    expect(await snapshot()).toMatch(new RegExp(`^${row?.started} \\d+:\\d+:`));
  });
});
