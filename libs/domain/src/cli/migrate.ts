import { ensureBootstrapCredential } from '../credential/bootstrap.js';
import { Database } from '../database/database.js';
import { loadEnvironment, misspelledVariables } from './env.js';
import { inWords } from './in-words.js';

/**
 * `npm run migrate`: brings the database to this release's schema and, when `BOOTSTRAP_TOKEN` is set, makes the first
 * credential. A deploy step of its own, never done by an app at its start. `-- --down` takes the newest migration back.
 */
async function migrate(): Promise<void> {
  const { DATABASE_URL, BOOTSTRAP_TOKEN } = loadEnvironment();
  for (const { variable, similar } of misspelledVariables()) console.error(`warning: nothing reads ${variable}; is ${similar} meant?`);
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
  console.error(inWords(error));
  process.exitCode = 1;
});
