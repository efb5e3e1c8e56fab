import { EnvironmentError } from '@ats/domain';
import { pino } from 'pino';
import { loadEnvironment } from './config/env.js';
import { createApp } from './create-app.js';

async function start(): Promise<void> {
  const environment = loadEnvironment();
  const log = pino({ level: environment.LOG_LEVEL, base: { app: 'api' } });
  const app = await createApp(environment, log);
  await app.listen(environment.PORT, '0.0.0.0');
}

start().catch((error: unknown) => {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exit(1);
});
