// @group sample: npm test runs a quarter of its tests
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { asApiRole, useTestDatabase } from '../../test/test-database.js';

const own = useTestDatabase();
const MIGRATE = join(__dirname, '../../dist/cli/migrate.js');

interface Ended {
  readonly code: number;
  readonly output: string;
}
const migrate = (environment: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: own.url, ...environment };
    const child = execFile(process.execPath, [MIGRATE], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
const asApiUrl = (): URL => new URL(asApiRole(own.url));
const read = async (): Promise<unknown> =>
  (
    await own.database.query<object>('SELECT name, timezone, default_language, environment FROM systems WHERE id = 1')
  )[0];

const INITIAL = { name: 'Recruitment', timezone: 'UTC', default_language: 'en', environment: 'production' };
const GIVEN = {
  SYSTEM_NAME: 'Example Careers',
  SYSTEM_TIME_ZONE: 'Pacific/Auckland',
  SYSTEM_LANGUAGE: 'fr',
  SYSTEM_ENVIRONMENT: 'staging',
};

describe('migrate', () => {
  it('names every wrong variable of the system, and changes nothing', async () => {
    const wrong = {
      SYSTEM_NAME: ' ',
      SYSTEM_TIME_ZONE: 'Mars/Olympus',
      SYSTEM_LANGUAGE: 'xx',
      SYSTEM_ENVIRONMENT: 'x'.repeat(256),
    };
    const { code, output } = await migrate(wrong);
    expect(code).toBe(1);
    for (const name of Object.keys(wrong)) expect(output).toContain(name);
    expect(await read()).toEqual(INITIAL);
  });

  it('stores the first settings of the system once: later values of the variables change nothing', async () => {
    expect(await migrate()).toMatchObject({ code: 0 });
    expect(await read()).toEqual(INITIAL);
    expect(await migrate(GIVEN)).toMatchObject({ code: 0, output: expect.stringContaining('of the system') });
    const first = { name: 'Example Careers', timezone: 'Pacific/Auckland', default_language: 'fr' };
    expect(await read()).toEqual({ ...first, environment: 'staging' });
    const again = await migrate({ ...GIVEN, SYSTEM_NAME: 'Later', SYSTEM_TIME_ZONE: 'UTC' });
    expect([again.code, again.output.includes('of the system')]).toEqual([0, false]);
    expect(await read()).toEqual({ ...first, environment: 'staging' });
  });

  it('sets the privileges of the role of API_DATABASE_URL, and prints no password', async () => {
    const role = 'ats_test_api';
    await own.database.query(`GRANT TRUNCATE ON users TO ${role}; REVOKE INSERT ON users FROM ${role}`);
    const API_DATABASE_URL = Object.assign(asApiUrl(), { password: 'n0t-printed' }).href;
    const { code, output } = await migrate({ API_DATABASE_URL });
    expect([code, output]).toEqual([0, expect.stringContaining(`set the privileges of the role ${role} on 1 object`)]);
    expect(output).not.toContain('n0t-printed');
    expect(
      await own.database.query(
        `SELECT has_table_privilege($1, 'users', 'TRUNCATE') AS truncate, has_table_privilege($1, 'users', 'INSERT') AS insert`,
        [role],
      ),
    ).toEqual([{ truncate: false, insert: true }]);
  });

  it('refuses an API_DATABASE_URL without a user', async () => {
    const { code, output } = await migrate({ API_DATABASE_URL: Object.assign(asApiUrl(), { username: '' }).href });
    expect([code, output]).toEqual([1, expect.stringContaining('API_DATABASE_URL')]);
  });
});
