import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { createCall } from '../tools/services/api-call.mjs';
import { freePort } from '../tools/services/ports.mjs';
import { sleep, startProcess } from '../tools/services/processes.mjs';
import { startTestServices } from '../tools/services/test-services.mjs';
import { root } from '../tools/workspace.mjs';

/** The number of the Redis database that benchmarks use. */
const REDIS_DATABASE = 3;

/** Creates the environment of the apps for an empty database and a Redis. */
export async function createEnvironment({ TEST_DATABASE_URL, TEST_REDIS_URL }) {
  const port = await freePort();
  return {
    PATH: process.env.PATH,
    DATABASE_URL: TEST_DATABASE_URL,
    REDIS_URL: `${TEST_REDIS_URL}/${REDIS_DATABASE}`,
    PORT: String(port),
    NOTIFIER_PORT: String(await freePort()),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
    BOOTSTRAP_TOKEN: `ats_benchbench_${randomBytes(32).toString('base64url')}`,
    RATE_LIMIT: '0',
    ALLOW_HTTP_DESTINATIONS: 'true',
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    LOG_LEVEL: 'warn',
  };
}

/**
 * Runs `work` with PostgreSQL, Redis and processes of the apps, and stops them afterwards.
 * @param {{ apps: ('api' | 'notifier')[], isDurable?: boolean }} options `isDurable` as in `startTestServices`
 * @param {(service: object) => Promise<unknown>} work gets a client of the API, a connection to the database, the
 *   environment of the apps, and `start`, which starts another API with changed settings at a port of its own
 */
export async function withService({ apps, isDurable }, work) {
  const services = await startTestServices({ say: console.error, isDurable });
  const environment = await createEnvironment(services.env);
  const database = new pg.Client({ connectionString: environment.DATABASE_URL });
  const running = [];
  const start = async (settings) => {
    const env = { ...environment, PORT: String(await freePort()), ...settings };
    running.push(await startApp('api', env));
    return { pid: running.at(-1).pid, port: env.PORT, environment: env };
  };
  try {
    await migrate(environment);
    for (const app of apps) running.push(await startApp(app, environment));
    await database.connect();
    await work({ client: createClient(environment), database, environment, start });
  } finally {
    await database.end();
    await Promise.all(running.map((app) => app.stop()));
    await services.stop();
  }
}

export async function migrate(env) {
  const command = {
    name: 'migrate',
    command: process.execPath,
    args: [join(root, 'libs/domain/dist/cli/migrate.js')],
    env,
    onLine: () => undefined,
  };
  const { code } = await (await startProcess(command)).exited;
  if (code !== 0) throw new Error('the migrations failed');
}

/** Starts an app as a process. Resolves when it is ready. */
export async function startApp(name, env) {
  const app = await startProcess({
    name,
    command: process.execPath,
    args: [join(root, `apps/${name}/dist/main.js`)],
    env,
    onLine: console.error,
  });
  try {
    await waitUntilReady(name === 'api' ? env.PORT : env.NOTIFIER_PORT);
  } catch (error) {
    await app.stop();
    throw error;
  }
  return app;
}

async function waitUntilReady(port) {
  for (let tries = 0; tries < 200; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (response?.status === 200) return;
    await sleep(100);
  }
  throw new Error('an app was not ready within 20 s');
}

export const createClient = ({ PORT, BOOTSTRAP_TOKEN }) =>
  createCall({ url: `http://127.0.0.1:${PORT}`, token: BOOTSTRAP_TOKEN });

/** Creates an application in the state `in_review`. */
export async function createApplication(client) {
  const vacancy = await client('POST', '/vacancies', { title: 'Bench' });
  await client('PUT', `/vacancies/${vacancy.id}/state`, { state: 'open' });
  const candidate = { firstname: 'Ann', lastname: 'Lee', email: 'ann.lee@example.com' };
  const application = await client('POST', '/applications', { opportunity_id: vacancy.id, candidate });
  await client('PUT', `/vacancy_applications/${application.id}/process_state`, { state: 'in_review' });
  return application;
}
