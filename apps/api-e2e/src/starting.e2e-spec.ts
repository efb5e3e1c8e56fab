import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, runToEnd } from './support/app.js';
import { SINGLE, Service } from './support/service.js';

describe('invalid configuration', () => {
  it.each([
    ['apps/api/dist/main.js', 'PORT'],
    ['apps/notifier/dist/main.js', 'NOTIFIER_PORT'],
  ])('makes %s name every invalid variable but no value, and exit with 1', async (script, port) => {
    const { output, exitCode } = await runToEnd(script, {
      DATABASE_URL: 'mysql://operator:s3cret@example.com/',
      [port]: '70000',
      SECRET_KEY: 'too-short-to-be-one',
      ALLOW_HTTP_DESTINATIONS: 'perhaps',
      NOTIFIER_ALLOW_CIDRS: '10.0.0.0/64',
    });
    expect(exitCode).toBe(1);
    for (const variable of [
      'DATABASE_URL',
      'REDIS_URL',
      'PUBLIC_BASE_URL',
      'SECRET_KEY',
      'ALLOW_HTTP_DESTINATIONS',
      'NOTIFIER_ALLOW_CIDRS',
      port,
    ]) {
      expect(output).toMatch(new RegExp(`^ {2}${variable}: `, 'm'));
    }
    for (const value of ['s3cret', '70000', 'too-short', 'perhaps', '10.0.0.0/64']) expect(output).not.toContain(value);
    expect(output).not.toMatch(/^\s+at /m);
  });
});

describe('a database that refuses the login', () => {
  it.each(['apps/api/dist/main.js', 'apps/notifier/dist/main.js'])(
    'makes %s log the reason and exit with 1',
    async (script) => {
      const { TEST_DATABASE_URL = '', TEST_REDIS_URL = '', PATH = '' } = process.env;
      const { output, exitCode } = await runToEnd(script, {
        PATH,
        DATABASE_URL: Object.assign(new URL(TEST_DATABASE_URL), { password: 'n0t-the-password' }).href,
        REDIS_URL: TEST_REDIS_URL,
        PUBLIC_BASE_URL: 'http://127.0.0.1',
        SECRET_KEY: 'a secret key for a start that fails',
      });
      expect(exitCode).toBe(1);
      expect(output).toContain(
        'the database of DATABASE_URL refuses the connection: the user or the password is wrong (28P01)',
      );
      expect(output).not.toContain('n0t-the-password');
    },
  );
});

describe('an app that is still starting', () => {
  // Another server uses the port. An app that misses SIGTERM therefore exits with 1 when it tries to listen.
  it.each([
    ['apps/api/dist/main.js', 'PORT'],
    ['apps/notifier/dist/main.js', 'NOTIFIER_PORT'],
  ])('exits with 0 on SIGTERM and never opens its port (%s)', async (script, portVariable) => {
    const occupied = createServer().listen(0, '0.0.0.0');
    await once(occupied, 'listening');
    const { TEST_REDIS_URL = '', PATH = '' } = process.env;
    const environment = {
      PATH,
      DATABASE_URL: 'postgres://127.0.0.1:1/ats',
      REDIS_URL: TEST_REDIS_URL,
      PUBLIC_BASE_URL: 'http://127.0.0.1',
      SECRET_KEY: 'a secret key for a start that ends',
      [portVariable]: String((occupied.address() as AddressInfo).port),
    };
    const child = spawn(process.execPath, [join(ROOT, script)], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    // Waits only for the first log line, `starting`, so that the signal arrives before the app is created.
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    occupied.close();
  });
});

/** Connects, sends a text, and then sends nothing more. */
async function connected(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  if (text) await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

describe('a started service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({}, SINGLE);
  });
  afterAll(() => service.stop());

  it('exits with 0 on SIGTERM while clients hold incomplete requests', async () => {
    const port = Number(new URL(service.api.url).port);
    const head = 'POST /api/v1/job_boards HTTP/1.1\r\nHost: a\r\n';
    const authorization = `Authorization: Bearer ${service.client.token}\r\n`;
    const texts = ['', head, `${head}${authorization}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`];
    const sockets = await Promise.all(texts.map((text) => connected(port, text)));
    // After this answer, the API has also accepted all earlier connections.
    expect((await fetch(`${service.api.url}/health/live`)).status).toBe(200);
    const askedAt = performance.now();
    expect(await service.api.end('SIGTERM')).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(60_000);
    for (const socket of sockets) socket.destroy();
    expect(await service.notifier.end('SIGTERM')).toBe(0);
  });
});
