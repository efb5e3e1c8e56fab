import { installMovableClock } from '@ats/domain/testing';
import pg from 'pg';
import { run } from '../../support/app.js';
import { options } from './options.js';
import { type Stage } from './stage.js';

/**
 * Replaces the database of a stage by a new one, which has only the first credential. `moveClock` moves the clock of
 * the new database for all connections.
 */
export async function makeClockMovable(stage: Stage): Promise<void> {
  const apps = [stage.api, ...stage.notifiers];
  await Promise.all(apps.map((app) => app.end('SIGTERM')));
  const { url } = stage.servers.postgres;
  const name = new URL(url).pathname.slice(1);
  const administrator = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await administrator.connect();
  try {
    await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await administrator.query(`CREATE DATABASE ${name}`);
    await installMovableClock(administrator, name, url);
  } finally {
    await administrator.end();
  }
  await run('libs/domain/dist/cli/migrate.js', {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: url,
    BOOTSTRAP_TOKEN: options.token,
  });
  await Promise.all(apps.map((app) => app.start()));
}
