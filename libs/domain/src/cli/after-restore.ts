import { skipIssuedIds } from './skip-issued-ids.js';
import { Database } from '@ats/postgres';
import { inWords } from './in-words.js';
import { loadEnvironment } from './env.js';

/** `npm run after-restore`: once, before the apps are started on a database that was restored to an earlier moment. See docs/operations.md. */
async function afterRestore(): Promise<void> {
  const database = await Database.connect({
    url: loadEnvironment().DATABASE_URL,
    applicationName: 'ats-after-restore',
    poolSize: 1,
  });
  try {
    console.log(`${await skipIssuedIds(database)} kinds of ids go on behind all that may have been given`);
  } finally {
    await database.close();
  }
}

afterRestore().catch((error: unknown) => {
  console.error(inWords(error));
  process.exitCode = 1;
});
