import { ensureBootstrapCredential } from '../rules/credential/bootstrap.js';
import { applyFirstSettings, type FirstSettings } from '../rules/system/system-settings.js';
import { Database, migrate, undoMigration } from '@ats/postgres';
import { updateReadScopes } from '../notification/topics/read-scopes.js';
import { migrations } from '../migrations/index.js';
import { apiRole } from './api-role.js';
import { loadEnvironment, misspelledVariables } from './env.js';
import { printableError } from './printable-error.js';

/**
 * The command `npm run migrate`. It runs all migrations of this release and gives the system its first settings
 * (`SYSTEM_…`). With `BOOTSTRAP_TOKEN` it creates the first credential, and with `API_DATABASE_URL` it sets the
 * privileges of the API's role. It is a separate step of a deployment, because apps never migrate when they start. It
 * can be repeated, and several processes can run it at the same time. `npm run migrate -- --down` undoes the newest
 * migration.
 */
async function main(): Promise<void> {
  const environment = loadEnvironment();
  const { DATABASE_URL, API_DATABASE_URL, BOOTSTRAP_TOKEN } = environment;
  const role = API_DATABASE_URL === undefined ? undefined : apiRole(API_DATABASE_URL);
  for (const { variable, similar } of misspelledVariables())
    console.error(`warning: the variable ${variable} is unknown. Did you mean ${similar}?`);
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
    if (set.length > 0) say(`set these settings of the system: ${set.join(', ')}`);
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
