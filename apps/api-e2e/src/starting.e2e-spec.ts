import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runToEnd } from './support/app.js';
import { ALONE, Service } from './support/service.js';

describe('a wrong start', () => {
  it.each([
    ['apps/api/dist/main.js', 'PORT'],
    ['apps/notifier/dist/main.js', 'NOTIFIER_PORT'],
  ])('of %s names every wrong variable, none of the values, and exits with 1', async (script, port) => {
    const { output, exitCode } = await runToEnd(script, {
      DATABASE_URL: 'mysql://somebody:s3cret@example.com/',
      [port]: '70000',
      SECRET_KEY: 'too-short-to-be-one',
      ALLOW_HTTP_DESTINATIONS: 'perhaps',
      NOTIFIER_ALLOW_CIDRS: '10.0.0.0/64',
    });
    expect(exitCode).toBe(1);
    for (const variable of ['DATABASE_URL', 'REDIS_URL', 'PUBLIC_BASE_URL', 'SECRET_KEY', 'ALLOW_HTTP_DESTINATIONS', 'NOTIFIER_ALLOW_CIDRS', port]) {
      expect(output).toMatch(new RegExp(`^ {2}${variable}: `, 'm'));
    }
    for (const value of ['s3cret', '70000', 'too-short', 'perhaps', '10.0.0.0/64']) expect(output).not.toContain(value);
    expect(output).not.toMatch(/^\s+at /m);
  });
});

describe('a database that refuses the login', () => {
  it.each(['apps/api/dist/main.js', 'apps/notifier/dist/main.js'])('ends %s with 1 and a line that says why', async (script) => {
    const { TEST_DATABASE_URL = '', TEST_REDIS_URL = '', PATH = '' } = process.env;
    const { output, exitCode } = await runToEnd(script, {
      PATH,
      DATABASE_URL: Object.assign(new URL(TEST_DATABASE_URL), { password: 'n0t-the-password' }).href,
      REDIS_URL: TEST_REDIS_URL,
      PUBLIC_BASE_URL: 'http://127.0.0.1',
      SECRET_KEY: 'a secret key for a start that fails',
    });
    expect(exitCode).toBe(1);
    expect(output).toContain('the database of DATABASE_URL refuses the connection: user or password are wrong (28P01)');
    expect(output).not.toContain('n0t-the-password');
  });
});

describe('a started service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({}, ALONE);
  });
  afterAll(() => service.stop());

  it('ends both apps with 0 when asked to', async () => {
    expect(await service.api.end('SIGTERM')).toBe(0);
    expect(await service.notifier.end('SIGTERM')).toBe(0);
  });
});
