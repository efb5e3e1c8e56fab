import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { POOL_SIZE, startServer } from '../servers.mjs';

/** The schema of the tables that Directus adds. */
const SCHEMA = 'bench_directus';
const TABLES = ['applications', 'users', 'opportunities', 'states'];
const FIELDS = [
  'id,uuid,created_dt,updated_dt,app_type,reference,outcome,source,score,tags,rating,posting_id,copied_from_id',
  'state_entered_dt,submitted_dt,hired_dt,rejected_dt,withdrawn_dt',
  'user_id.id,user_id.firstname,user_id.lastname,user_id.email,opportunity_id.id,opportunity_id.title',
  'state_id.id,state_id.state,state_id.phase,state_id.name,state_id.is_terminal',
].join();

const pathOf = (query) =>
  `/items/applications?${new URLSearchParams({ fields: FIELDS, limit: '100', 'filter[app_type][_eq]': 'vacancy_application', ...query })}`;

/**
 * Directus. Its caches of responses, its limiters and its web application are off.
 * @type {import('../peers.mjs').Peer}
 */
export const directus = {
  name: 'Directus',
  async start(database, folder) {
    const token = randomBytes(32).toString('hex');
    const [{ others }] = await database.query(
      `SELECT string_agg(table_name, ',') AS others FROM information_schema.tables
      WHERE table_schema = 'public' AND table_name <> ALL($1)`,
      [TABLES],
    );
    const environment = {
      NODE_ENV: 'production',
      CONFIG_PATH: join(folder, 'directus.env'), // This file does not exist, so only the environment counts.
      HOST: '127.0.0.1',
      SECRET: randomBytes(32).toString('hex'),
      ADMIN_EMAIL: 'bench@example.com',
      ADMIN_PASSWORD: randomBytes(16).toString('hex'),
      ADMIN_TOKEN: token,
      DB_CLIENT: 'pg',
      DB_CONNECTION_STRING: database.url,
      DB_SEARCH_PATH: `array:${SCHEMA},public`,
      DB_EXCLUDE_TABLES: others,
      DB_POOL__MIN: String(POOL_SIZE),
      DB_POOL__MAX: String(POOL_SIZE),
      STORAGE_LOCAL_ROOT: folder,
      EXTENSIONS_PATH: folder,
      CACHE_ENABLED: 'false',
      RATE_LIMITER_ENABLED: 'false',
      PRESSURE_LIMITER_ENABLED: 'false',
      SERVE_APP: 'false',
      TELEMETRY: 'false',
      LOG_LEVEL: 'error',
    };
    const script = join(folder, 'node_modules/@directus/api/dist/cli/run.js');
    await database.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}`);
    const removeTables = () => database.query(`DROP SCHEMA ${SCHEMA} CASCADE`);
    try {
      const env = { PATH: process.env.PATH, ...environment };
      execFileSync(process.execPath, [script, 'bootstrap'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
      const server = await startServer({
        name: this.name,
        script,
        args: ['start'],
        environment,
        token,
        readyAt: '/server/ping',
      });
      const stop = async () => {
        await server.stop();
        await removeTables();
      };
      return { ...server, stop };
    } catch (error) {
      await removeTables();
      throw error;
    }
  },
  page: (number) => pathOf({ sort: 'id', page: String(number) }),
  search: (state, lastname) =>
    pathOf({
      sort: '-created_dt,id',
      'filter[state_id][state][_eq]': state,
      'filter[user_id][lastname_folded][_contains]': lastname,
    }),
  itemOf: ({ id, state_id, user_id, opportunity_id }) => [id, state_id.state, user_id.lastname, opportunity_id.title],
};
