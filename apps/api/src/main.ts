import { EnvironmentError } from '@ats/configuration';
import { pino } from 'pino';
import { loadEnvironment, misspelledVariables } from './config/env.js';
import { createApp } from './create-app.js';

async function start(): Promise<void> {
  const environment = loadEnvironment();
  const log = pino({ level: environment.LOG_LEVEL, base: { app: 'api' } });
  for (const misspelled of misspelledVariables()) log.warn(misspelled, 'a variable that nothing reads looks like one of ours');
  const app = await createApp(environment, log);
  await app.listen(environment.PORT, '0.0.0.0');
}

start().catch((error: unknown) => {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exit(1);
});
