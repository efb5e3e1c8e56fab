// @ts-check
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardDir, unguardDir } from '../services/guard.mjs';
import { createDatabase } from '../services/postgres.mjs';
import { startTestServices } from '../services/test-services.mjs';
import { makeDataDir, PlainError, root } from '../workspace.mjs';
import { migrate, startApp } from './app.mjs';
import { checkOut, isHere } from './check-out.mjs';
import { Traffic } from './traffic.mjs';

/** @type {import('./check-out.mjs').Release} */
const before = JSON.parse(readFileSync(join(root, 'tools/upgrade/previous-release.json'), 'utf8'));
const requestsPerPhase = 60;

/**
 * Upgrades from the previous release to this one and back, while clients send requests. Migrates while the old apps
 * run, runs both releases side by side, and then runs the new release alone. Rolls back without reverting the schema.
 */
export async function main() {
  if (!isHere(before))
    return console.log(`skipped, release ${before.release} (${before.commit}) is not in this clone's history`);
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const logFile = join(logs, 'upgrade.log');
  writeFileSync(logFile, '', { mode: 0o600 });
  const dir = mkdtempSync(join(tmpdir(), 'ats-release-'));
  guardDir(dir);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => process.exit(1)); // The guard removes the directory.
  try {
    await timed(`release ${before.release} is compiled`, () => checkOut(before, dir, logFile));
    await withDatabase((settings) => upgrade({ old: dir, settings, logFile }));
  } finally {
    rmSync(dir, { recursive: true, force: true });
    unguardDir(dir);
  }
}

/**
 * Upgrades and rolls back under traffic, in the order of the phases.
 * @param {{ old: string, settings: Record<string, string>, logFile: string }} options
 */
async function upgrade({ old, settings, logFile }) {
  const traffic = new Traffic(settings.BOOTSTRAP_TOKEN ?? '');
  const apiUrl = Object.assign(new URL(settings.DATABASE_URL ?? ''), { username: 'ats_upgrade_api' }).href;
  /** @type {import('./app.mjs').App[]} */
  const running = [];
  /** Starts an API and a notifier of a release. @param {string} dir */
  const start = async (dir) => {
    // The API of the new release has a database role of its own. The former release has one role for all processes.
    const apiSettings = dir === root ? { ...settings, DATABASE_URL: apiUrl } : settings;
    const apps = [await startApp('api', dir, apiSettings, logFile), await startApp('notifier', dir, settings, logFile)];
    running.push(...apps);
    return apps;
  };
  /**
   * Stops apps.
   * @param {readonly import('./app.mjs').App[]} apps
   */
  const stop = async (apps) => {
    for (const app of apps) running.splice(running.indexOf(app), 1);
    await Promise.all(apps.map((app) => app.stop()));
  };
  /**
   * Sends the requests of the clients to these releases for one phase.
   * @param {string} phase @param {readonly import('./app.mjs').App[][]} releases their APIs get requests in turn
   */
  const serve = async (phase, ...releases) => {
    traffic.sendTo(releases.flatMap(([api]) => api ?? []));
    await timed(phase, () => traffic.goOn(requestsPerPhase));
  };
  /**
   * Moves the traffic from the old apps to the new ones, and stops the old apps.
   * @param {import('./app.mjs').App[]} before @param {import('./app.mjs').App[]} after
   */
  const replace = async (before, after) => {
    traffic.sendTo(after.slice(0, 1));
    await traffic.hasMoved();
    await stop(before);
  };
  try {
    await migrate(old, settings, logFile);
    await expectNewest(settings.DATABASE_URL ?? '', before.migration);
    const first = await start(old);
    traffic.sendTo(first.slice(0, 1));
    await traffic.start();
    await serve('the old release served', first);
    await timed('migrated under the old release', () =>
      migrate(root, { ...settings, API_DATABASE_URL: apiUrl }, logFile),
    );
    await serve('the old release served on the new schema', first);
    console.log(
      `on the new schema, the old release served ${await traffic.readEverything(first)} paths of its OpenAPI document`,
    );
    const next = await start(root);
    await serve('both releases served', first, next);
    await replace(first, next);
    await serve('the new release served', next);
    // A deployment of the old release also runs `migrate`, which leaves the newer schema unchanged.
    await migrate(old, settings, logFile);
    const again = await start(old);
    await serve('both releases served during the rollback', again, next);
    await replace(next, again);
    await serve('the old release served again', again);
    const moves = await traffic.end();
    console.log(
      `${traffic.requests} requests, none refused, the slowest ${Math.round(traffic.slowestMs)} ms; ` +
        `${moves} moves, each notified once`,
    );
  } finally {
    traffic.close();
    await stop([...running]);
  }
}

/**
 * Checks that previous-release.json names the newest migration of that release. The rules for migrations rely on it.
 * @param {string} url
 * @param {string} name
 */
async function expectNewest(url, name) {
  const { default: pg } = await import('pg');
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1');
  await client.end();
  if (rows[0]?.name !== name)
    throw new PlainError(
      `tools/upgrade/previous-release.json: the newest migration of the release is ${rows[0]?.name}, not ${name}`,
    );
}

/**
 * Runs a step, and prints how long it took.
 * @template Result
 * @param {string} what
 * @param {() => Promise<Result>} work
 */
async function timed(what, work) {
  const startedAt = Date.now();
  const result = await work();
  console.log(`${what} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  return result;
}

/**
 * Runs `use` with the settings of a new database.
 * @param {(settings: Record<string, string>) => Promise<void>} use
 */
async function withDatabase(use) {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  const services =
    TEST_DATABASE_URL && TEST_REDIS_URL ? undefined : await startTestServices({ say: console.log, isInMemory: true });
  const { TEST_DATABASE_URL: server, TEST_REDIS_URL: redis } = { ...process.env, ...services?.env };
  const name = `upgrade_${randomBytes(6).toString('hex')}`;
  try {
    await createDatabase(server ?? '', name);
    await use({
      DATABASE_URL: Object.assign(new URL(server ?? ''), { pathname: `/${name}` }).href,
      REDIS_URL: redis ?? '',
      PUBLIC_BASE_URL: 'http://localhost:3000',
      SECRET_KEY: randomBytes(32).toString('hex'),
      BOOTSTRAP_TOKEN: `ats_upgrading1_${randomBytes(32).toString('base64url')}`,
      ALLOW_HTTP_DESTINATIONS: 'true',
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      RATE_LIMIT: '0',
    });
  } finally {
    await services?.stop();
  }
}
