import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import { readsClock, SNAPSHOT } from './snapshot.js';

const own = useTestDatabase();

describe('readsClock', () => {
  it.each([
    'SELECT now()',
    'SELECT 1 WHERE x < CLOCK_TIMESTAMP ( )',
    'closing_date < system_today()',
    'x = current_date',
    'x > LOCALTIMESTAMP(3)',
    'age(k.created_dt) > $1',
  ])('sees the clock in %s', (text) => {
    expect(readsClock(text)).toBe(true);
  });

  it.each([`k.current_title = $1 AND k.known = $2`, 'unknown(x)', 'k.age_days', `extract(epoch FROM k.created_dt)`])(
    'sees none in %s',
    (text) => {
      expect(readsClock(text)).toBe(false);
    },
  );

  it('knows every function of the schema that reads one', async () => {
    const functions = await own.database.query<{ call: string; definition: string }>(
      `SELECT proname || '()' AS call, pg_get_functiondef(oid) AS definition FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND prorettype <> 'trigger'::regtype
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`,
    );
    const clocks = functions.filter(({ definition }) => readsClock(definition)).map(({ call }) => call);
    expect(clocks).toContain('system_today()');
    expect(clocks.filter((call) => !readsClock(call))).toEqual([]);
  });
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
    // Other databases of the server may be written to at any time, but not all the time.
    let seen: ReadonlySet<string>;
    do seen = new Set(await Promise.all(Array.from({ length: 20 }, snapshot)));
    while (seen.size > 1);
    expect([...seen]).toEqual([expect.stringMatching(/^[\d.]+ \d+:\d+:/)]);
  });

  it('names the server that was started at that moment', async () => {
    const [row] = await own.database.query<{ started: string }>(
      'SELECT extract(epoch FROM pg_postmaster_start_time())::text AS started',
    );
    expect(await snapshot()).toMatch(new RegExp(`^${row?.started} \\d+:\\d+:`));
  });
});
