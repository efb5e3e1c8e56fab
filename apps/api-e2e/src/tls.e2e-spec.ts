import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, freePort, type TestDatabase } from '@ats/domain/testing';
import { readCertificate } from '@ats/nest-app';
import { ROOT, runToEnd } from './support/app.js';
import { type Certificate, makeCertificate } from './support/certificate.js';
import { waitUntil } from './support/wait-until.js';

const APPS = [
  { name: 'api', portVariable: 'PORT' },
  { name: 'notifier', portVariable: 'NOTIFIER_PORT' },
] as const;
const scriptOf = (name: string): string => `apps/${name}/dist/main.js`;

const folder = mkdtempSync(join(tmpdir(), 'ats-tls-'));
const TLS_CERT_FILE = join(folder, 'tls.crt');
const TLS_KEY_FILE = join(folder, 'tls.key');
const [first, second] = [makeCertificate(), makeCertificate()];
const fingerprintOf = ({ cert }: Certificate): string => new X509Certificate(cert).fingerprint256;

const install = ({ cert, key }: Certificate): void => {
  writeFileSync(TLS_CERT_FILE, cert);
  writeFileSync(TLS_KEY_FILE, key);
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const environmentOf = (portVariable: string, port: number): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  DATABASE_URL: portVariable === 'PORT' ? database.apiUrl : database.url,
  REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
  PUBLIC_BASE_URL: `https://127.0.0.1:${port}`,
  SECRET_KEY: 'a secret key for a process with TLS',
  [portVariable]: String(port),
  TLS_CERT_FILE,
  TLS_KEY_FILE,
});

/** Requests a route. Does not verify the certificate, because the caller compares its fingerprint. */
const ask = async (port: number, agent?: Agent): Promise<{ status?: number; hsts?: string; fingerprint: string }> =>
  new Promise((resolve, reject) => {
    get(
      { port, host: '127.0.0.1', path: '/health/live', agent: agent ?? false, rejectUnauthorized: false },
      (answer) => {
        const { fingerprint256: fingerprint } = (answer.socket as TLSSocket).getPeerCertificate();
        answer.resume().once('end', () =>
          resolve({
            status: answer.statusCode,
            hsts: answer.headers['strict-transport-security'],
            fingerprint,
          }),
        );
      },
    ).once('error', reject);
  });

/** Runs the HEALTHCHECK command of an app's image. @returns its exit code */
async function checkHealth(name: string, environment: Record<string, string>): Promise<number | null> {
  const dockerfile = readFileSync(join(ROOT, `docker/${name}.Dockerfile`), 'utf8');
  const [, command = '[]'] = /^HEALTHCHECK .* CMD (.*)$/m.exec(dockerfile) ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  const child = execFile(process.execPath, args, { env: environment });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe.each(APPS)('the process $name with a certificate', ({ name, portVariable }) => {
  let child: ChildProcess;
  let port: number;
  let output = '';

  beforeAll(async () => {
    install(first);
    port = await freePort();
    child = spawn(process.execPath, [join(ROOT, scriptOf(name))], {
      env: environmentOf(portVariable, port),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => void (output += text.toString()));
    await waitUntil(`${name} serves HTTPS`, 100_000, async () => {
      if (child.exitCode !== null) throw new Error(output);
      return (await ask(port).catch(() => null))?.status === 200;
    });
  });
  afterAll(() => void child.kill('SIGKILL'));

  const hangUp = async (text: string): Promise<void> => {
    const before = output.length;
    child.kill('SIGHUP');
    await waitUntil(text, 100_000, () => output.slice(before).includes(text));
  };

  it('serves HTTPS, and the API sends HSTS', async () => {
    const { status, hsts, fingerprint } = await ask(port);
    expect([status, fingerprint]).toEqual([200, fingerprintOf(first)]);
    if (name === 'api') expect(hsts).toBe('max-age=31536000');
  });

  it('closes connections that do not begin TLS', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'close');
    expect((await ask(port)).status).toBe(200);
  });

  it('passes the health check of its image over HTTPS, but not over HTTP', async () => {
    const environment = { [portVariable]: String(port) };
    expect(await checkHealth(name, { ...environment, TLS_CERT_FILE })).toBe(0);
    expect(await checkHealth(name, environment)).toBe(1);
  });

  it('uses a new certificate after SIGHUP, and keeps open connections', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await ask(port, agent)).fingerprint).toBe(fingerprintOf(first));
    install(second);
    await hangUp('the TLS certificate was reloaded');
    expect((await ask(port)).fingerprint).toBe(fingerprintOf(second));
    expect(await ask(port, agent)).toMatchObject({ status: 200, fingerprint: fingerprintOf(first) });
    agent.destroy();
  });

  it('keeps the previous certificate when the new files cannot be used', async () => {
    writeFileSync(TLS_KEY_FILE, first.key);
    await hangUp('the TLS certificate could not be reloaded, the previous one stays in use');
    expect(output).toContain('must contain the private key of the certificate in TLS_CERT_FILE');
    expect(output).not.toContain('PRIVATE KEY-----');
    expect((await ask(port)).fingerprint).toBe(fingerprintOf(second));
  });

  it('exits with 0 on SIGTERM while clients hold connections', async () => {
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    const idle = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => undefined);
    await once(idle, 'secureConnect');
    await ask(port);
    const exited = once(child, 'exit');
    const begunAt = performance.now();
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    // The process must end before its hard deadline, which ends work that hangs.
    expect(performance.now() - begunAt).toBeLessThan(28_000);
    for (const socket of [silent, idle]) socket.destroy();
  });
});

describe('a wrong certificate', () => {
  const [missing, garbage, other] = ['missing.pem', 'garbage.pem', 'other.key'].map((file) => join(folder, file));
  const MISMATCH = 'TLS_KEY_FILE: must contain the private key of the certificate in TLS_CERT_FILE';

  beforeAll(() => {
    install(first);
    writeFileSync(garbage ?? '', 'no PEM');
    writeFileSync(other ?? '', second.key);
  });

  it.each([
    [
      'a missing file',
      { TLS_CERT_FILE: missing },
      'TLS_CERT_FILE: must name a file that the process can read (ENOENT)',
    ],
    ['a folder', { TLS_KEY_FILE: folder }, 'TLS_KEY_FILE: must name a file that the process can read (EISDIR)'],
    ['a text', { TLS_CERT_FILE: garbage }, 'TLS_CERT_FILE: must contain a certificate as PEM'],
    ['a key as certificate', { TLS_CERT_FILE: TLS_KEY_FILE }, 'TLS_CERT_FILE: must contain a certificate as PEM'],
    [
      'a text as key',
      { TLS_KEY_FILE: garbage },
      'TLS_KEY_FILE: must contain a private key as PEM without a passphrase',
    ],
    ['the key of another certificate', { TLS_KEY_FILE: other }, MISMATCH],
  ])('is rejected: %s', (_, settings, text) => {
    const environment = { TLS_CERT_FILE, TLS_KEY_FILE, ...settings } as Record<string, string>;
    expect(() => readCertificate(environment)).toThrow(new Error(`wrong environment:\n  ${text}`));
  });

  it.each([
    ['api', 'PORT', { TLS_KEY_FILE: '' }, 'TLS_KEY_FILE: must be set, because TLS_CERT_FILE is set'],
    ['notifier', 'NOTIFIER_PORT', { TLS_KEY_FILE: other }, MISMATCH],
  ])('makes the process %s print the reason and exit with 1', async (name, portVariable, settings, text) => {
    const { output, exitCode } = await runToEnd(scriptOf(name), {
      ...environmentOf(portVariable, 1),
      ...(settings as Record<string, string>),
    });
    expect([exitCode, output]).toEqual([1, `wrong environment:\n  ${text}\n`]);
  });
});
