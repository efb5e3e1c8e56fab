import { z } from 'zod';
import { EnvironmentError, readEnvironment, variables } from '../config/environment.js';
import { ensureBootstrapCredential } from '../credential/bootstrap.js';
import { Database } from '../database/database.js';

/**
 * `npm run migrate`: brings the database to this release's schema and, when `BOOTSTRAP_TOKEN` is set, makes the first
 * credential. A deploy step of its own, never done by an app at its start. `-- --down` takes the newest migration back.
 */
async function migrate(): Promise<void> {
  const { DATABASE_URL, BOOTSTRAP_TOKEN } = readEnvironment(
    z.object({ DATABASE_URL: variables.DATABASE_URL, BOOTSTRAP_TOKEN: variables.BOOTSTRAP_TOKEN.optional() }),
    process.env,
  );
  const database = await Database.connect({ url: DATABASE_URL, applicationName: 'ats-migrate', poolSize: 2, statementTimeoutMs: 0 });
  try {
    if (process.argv.includes('--down')) {
      await database.dataSource.undoLastMigration();
      console.log('took back the newest migration');
      return;
    }
    const done = await database.dataSource.runMigrations();
    console.log(done.length === 0 ? 'the schema is up to date' : done.map(({ name }) => `ran ${name}`).join('\n'));
    if (BOOTSTRAP_TOKEN) await database.transaction((transaction) => ensureBootstrapCredential(transaction, BOOTSTRAP_TOKEN));
  } finally {
    await database.close();
  }
}

migrate().catch((error: unknown) => {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exitCode = 1;
});
