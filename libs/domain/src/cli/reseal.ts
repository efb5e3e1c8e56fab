import { Database } from '@ats/postgres';
import { KeyRing } from '../writing/key-ring.js';
import { printableError } from './printable-error.js';
import { loadResealEnvironment } from './reseal-env.js';
import { resealValues } from './reseal-values.js';

/**
 * The command `npm run reseal`. It seals every stored secret again with `SECRET_KEY` while the apps run. It may be
 * interrupted and repeated at any time. Without `SECRET_KEY_PREVIOUS` it only checks that `SECRET_KEY` opens every
 * value. Exit code 1 means that some values are still sealed with another key. See docs/operations.md.
 */
async function main(): Promise<void> {
  const environment = loadResealEnvironment();
  const database = await Database.connect({
    url: environment.DATABASE_URL,
    applicationName: 'ats-reseal',
    poolSize: 1,
  });
  const say = (line: string): void => console.log(line);
  try {
    const columns = await resealValues(database, { keys: new KeyRing(environment), say });
    const left = columns.reduce((sum, { unknown, locked }) => sum + unknown.length + locked, 0);
    if (left === 0) return say('SECRET_KEY decrypts every stored secret');
    say(`SECRET_KEY does not decrypt ${left} stored secrets: the lines above say why`);
    process.exitCode = 1;
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  console.error(printableError(error));
  process.exitCode = 1;
});
