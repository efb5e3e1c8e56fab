import 'reflect-metadata';
import { EnvironmentError } from '@ats/configuration';
import { createLogger, NestLogger, sayLastWords } from '@ats/logging';
import { traceFields } from '@ats/telemetry';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { configurationInForce, type Environment, loadEnvironment, misspelledVariables } from './config/env.js';
import { NotifierModule } from './notifier.module.js';
import { Notifier } from './notifier.js';

/** Nothing is left to be done by then; a Redis that holds connections and does not answer would be waited for without end. */
const STOPPED_AT_LATEST_MS = 28_000;
/** To close connections. One that hangs holds nothing that is needed. */
const CLOSED_WITHIN_MS = 2_000;

async function start(environment: Environment): Promise<void> {
  const logger = createLogger({
    app: 'notifier',
    release: environment.RELEASE,
    level: environment.LOG_LEVEL,
    format: environment.LOG_FORMAT,
    fields: traceFields,
  });
  sayLastWords(logger);
  logger.info({ node: process.version, configuration: configurationInForce() }, 'starting');
  for (const misspelled of misspelledVariables())
    logger.warn(misspelled, 'a variable that nothing reads looks like one of ours');
  try {
    const app = await NestFactory.create<NestFastifyApplication>(
      NotifierModule.with(environment, logger),
      new FastifyAdapter({ return503OnClosing: true }),
      { logger: new NestLogger(logger), abortOnError: false },
    );
    app.enableShutdownHooks([], { useProcessExit: true });
    app.get(Notifier).onStopped(() => setTimeout(() => process.exit(0), CLOSED_WITHIN_MS).unref());
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => setTimeout(() => process.exit(0), STOPPED_AT_LATEST_MS).unref());
    await app.listen(environment.NOTIFIER_PORT, '0.0.0.0');
    logger.info({ port: environment.NOTIFIER_PORT }, 'listening');
  } catch (error) {
    logger.fatal({ err: error }, 'the notifier could not start');
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

await start(readEnvironment());
