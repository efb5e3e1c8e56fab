import { skipIssuedIds } from './skip-issued-ids.js';
import { Database } from '@ats/postgres';
import { printableError } from './printable-error.js';
import { loadEnvironment } from './env.js';

/**
 * The command `npm run after-restore`. Operators run it once after the database was restored to an earlier time, before
 * the apps start. See docs/operations.md.
 */
async function afterRestore(): Promise<void> {
  const database = await Database.connect({
    url: loadEnvironment().DATABASE_URL,
    applicationName: 'ats-after-restore',
    poolSize: 1,
  });
  try {
    console.log(`${await skipIssuedIds(database)} id sequences were moved past all ids that may have been issued`);
    await database.query('UPDATE change_feed SET epoch = gen_random_uuid()');
    console.log('The changes feed answers 410 to tokens from before the restore, so that clients start over');
  } finally {
    await database.close();
  }
}

afterRestore().catch((error: unknown) => {
  console.error(printableError(error));
  process.exitCode = 1;
});
