import { describe, expect, it } from '@jest/globals';
import { useEmptyDatabase } from '../../test/test-server.js';
import { readsClock, SNAPSHOT } from './snapshot.js';

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

describe('SNAPSHOT', () => {
  const text = `SELECT ${SNAPSHOT} AS snapshot`;
  const snapshot = async (): Promise<string> => {
    const [row] = await own.database.reading.query<{ snapshot: string }>({ text, parameters: [] });
    return row?.snapshot ?? '';
  };
  const snapshotElsewhere = async (): Promise<string> =>
    (await own.database.query<{ snapshot: string }>(text))[0]?.snapshot ?? '';

  it('is the same on every connection as long as nothing is written', async () => {
    // Other specs write to other databases of the server. So this is repeated until nothing was written from `before`
    // to `after`.
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
