import { EnvironmentError } from '@ats/configuration';
import { createLogger, sayLastWords } from '@ats/logging';
import { traceFields } from '@ats/telemetry';
import { configurationInForce, type Environment, loadEnvironment, misspelledVariables } from './config/env.js';
import { createApp } from './create-app.js';

/** Resolves when it listens; ends the process when it cannot. */
export async function start(): Promise<void> {
  const environment = readEnvironment();
  const log = createLogger({
    app: 'api',
    release: environment.RELEASE,
    level: environment.LOG_LEVEL,
    format: environment.LOG_FORMAT,
    fields: traceFields,
  });
  sayLastWords(log);
  log.info({ node: process.version, configuration: configurationInForce() }, 'starting');
  for (const misspelled of misspelledVariables())
    log.warn(misspelled, 'a variable that nothing reads looks like one of ours');
  try {
    const app = await createApp(environment, log);
    await app.listen(environment.PORT, '0.0.0.0');
    log.info({ port: environment.PORT }, 'listening');
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => log.info({ signal, drain_seconds: environment.DRAIN_SECONDS }, 'stopping'));
    process.once('exit', (code) => log.info({ code }, 'stopped'));
  } catch (error) {
    log.fatal({ err: error }, 'the API could not start');
    process.exit(1);
  }
}

function readEnvironment(): Environment {
  try {
    return loadEnvironment();
  } catch (error) {
    console.error(error instanceof EnvironmentError ? error.message : error);
    process.exit(1);
  }
}
