import { ensureBootstrapCredential } from '../rules/credential/bootstrap.js';
import { Database, migrate, undoMigration } from '@ats/postgres';
import { migrations } from '../migrations/index.js';
import { loadEnvironment, misspelledVariables } from './env.js';
import { inWords } from './in-words.js';

/**
 * `npm run migrate`: brings the database to this release's schema and, when `BOOTSTRAP_TOKEN` is set, makes the first
 * credential. A deploy step of its own, never done by an app at its start; may be run again, and by several at once. `-- --down` takes
 * the newest migration back.
 */
async function main(): Promise<void> {
  const { DATABASE_URL, BOOTSTRAP_TOKEN } = loadEnvironment();
  for (const { variable, similar } of misspelledVariables())
    console.error(`warning: nothing reads ${variable}; is ${similar} meant?`);
  const database = await Database.connect({
    url: DATABASE_URL,
    applicationName: 'ats-migrate',
    migrations,
    poolSize: 2,
    statementTimeoutMs: 0,
  });
  try {
    if (process.argv.includes('--down')) return await undoMigration(database.dataSource, { say });
    const isNewer = (await migrate(database.dataSource, { say })) === 'newer';
    if (BOOTSTRAP_TOKEN && !isNewer)
      await database.transaction((transaction) => ensureBootstrapCredential(transaction, BOOTSTRAP_TOKEN));
  } finally {
    await database.close();
  }
}

const say = (line: string): void => console.log(line);

main().catch((error: unknown) => {
  console.error(inWords(error));
  process.exitCode = 1;
});
