import { ensureBootstrapCredential } from '../rules/credential/bootstrap.js';
import { applyFirstSettings, type FirstSettings } from '../rules/system/system-settings.js';
import { Database, migrate, undoMigration } from '@ats/postgres';
import { updateReadScopes } from '../notification/topics/read-scopes.js';
import { migrations } from '../migrations/index.js';
import { apiRole } from './api-role.js';
import { loadEnvironment, misspelledVariables } from './env.js';
import { printableError } from './printable-error.js';

/**
 * `npm run migrate`: runs all migrations of this release, gives the system its first settings (`SYSTEM_…`) and, when
 * `BOOTSTRAP_TOKEN` is set, creates the first credential. With `API_DATABASE_URL`, it sets the privileges of the API's
 * role. It is a deployment step of its own, because apps never migrate when they start. It is safe to run the command
 * again, and to run it in several processes at the same time. `npm run migrate -- --down` undoes the newest migration.
 */
async function main(): Promise<void> {
  const environment = loadEnvironment();
  const { DATABASE_URL, API_DATABASE_URL, BOOTSTRAP_TOKEN } = environment;
  const role = API_DATABASE_URL === undefined ? undefined : apiRole(API_DATABASE_URL);
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
    if (process.argv.includes('--down')) return await undoMigration(database.dataSource, { say, role });
    const isNewer = (await migrate(database.dataSource, { say, role })) === 'newer';
    if (isNewer) return;
    const set = await database.transaction((transaction) => applyFirstSettings(transaction, settingsOf(environment)));
    if (set.length > 0) say(`set ${set.join(', ')} of the system`);
    await database.transaction((transaction) => updateReadScopes(transaction));
    if (BOOTSTRAP_TOKEN)
      await database.transaction((transaction) => ensureBootstrapCredential(transaction, BOOTSTRAP_TOKEN));
  } finally {
    await database.close();
  }
}

function settingsOf(environment: ReturnType<typeof loadEnvironment>): FirstSettings {
  const { SYSTEM_NAME, SYSTEM_TIME_ZONE, SYSTEM_LANGUAGE, SYSTEM_ENVIRONMENT } = environment;
  return {
    ...(SYSTEM_NAME !== undefined && { name: SYSTEM_NAME }),
    ...(SYSTEM_TIME_ZONE !== undefined && { timezone: SYSTEM_TIME_ZONE }),
    ...(SYSTEM_LANGUAGE !== undefined && { default_language: SYSTEM_LANGUAGE }),
    ...(SYSTEM_ENVIRONMENT !== undefined && { environment: SYSTEM_ENVIRONMENT }),
  };
}

const say = (line: string): void => console.log(line);

main().catch((error: unknown) => {
  console.error(printableError(error));
  process.exitCode = 1;
});
