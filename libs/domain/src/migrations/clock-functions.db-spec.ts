import { readsClock } from '@ats/postgres';
import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';

const own = useTestDatabase();

describe('readsClock', () => {
  it('recognises calls of all functions of the schema that read the clock', async () => {
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
