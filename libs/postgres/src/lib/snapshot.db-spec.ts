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
  const snapshot = async (): Promise<string> => {
    const [row] = await own.database.reading.query<{ snapshot: string }>({
      text: `SELECT ${SNAPSHOT} AS snapshot`,
      parameters: [],
    });
    return row?.snapshot ?? '';
  };

  it('is the same on every connection as long as nothing is written', async () => {
    // Other specs write to other databases of the server now and then, so repeat until none interferes.
    let seen: ReadonlySet<string>;
    do seen = new Set(await Promise.all(Array.from({ length: 20 }, snapshot)));
    while (seen.size > 1);
    expect([...seen]).toEqual([expect.stringMatching(/^[\d.]+ \d+:\d+:/)]);
  });

  it('contains the start time of the server', async () => {
    const [row] = await own.database.query<{ started: string }>(
      'SELECT extract(epoch FROM pg_postmaster_start_time())::text AS started',
    );
    expect(await snapshot()).toMatch(new RegExp(`^${row?.started} \\d+:\\d+:`));
  });
});
