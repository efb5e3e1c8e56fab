// @ts-check
import { join } from 'node:path';
import { freePort } from '../services/ports.mjs';
import { createDatabase, startPostgres } from '../services/postgres.mjs';
import { runLogged } from '../services/run.mjs';
import { root } from '../workspace.mjs';

/** Fast settings with which commits survive a crash of the server process, but not of the machine. */
export const clusterSettings = {
  fsync: 'off',
  synchronous_commit: 'on',
  full_page_writes: 'off',
  max_connections: '200',
};

/**
 * Creates the data directory that each test copies: a database `ats` with all migrations and the first credential.
 * @param {{ dir: string, password: string, token: string, logFile: string }} options
 */
export async function makeCluster({ dir, password, token, logFile }) {
  const { server, url } = await startPostgres({
    dir,
    port: await freePort(),
    password,
    logFile,
    settings: clusterSettings,
  });
  try {
    await createDatabase(url('postgres'), 'ats');
    const env = { PATH: process.env.PATH, DATABASE_URL: url('ats'), BOOTSTRAP_TOKEN: token };
    const { ok, tail } = await runLogged({
      command: process.execPath,
      args: ['libs/domain/dist/cli/migrate.js'],
      cwd: root,
      env,
      logFile: join(`${logFile}.migrate`),
    });
    if (!ok) throw new Error(`the migrations failed:\n${tail}`);
  } finally {
    await server.stop();
  }
}
