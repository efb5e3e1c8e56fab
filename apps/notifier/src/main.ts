import 'reflect-metadata';
import { EnvironmentError } from '@ats/domain';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadEnvironment } from './config/env.js';
import { createLogger, describeError, NestLogger } from './logging/logger.js';
import { NotifierModule } from './notifier.module.js';

async function main(): Promise<void> {
  const environment = loadEnvironment();
  const logger = createLogger(environment.LOG_LEVEL);
  try {
    const app = await NestFactory.create<NestFastifyApplication>(
      NotifierModule.with(environment, logger),
      new FastifyAdapter({ return503OnClosing: true }),
      { logger: new NestLogger(logger), abortOnError: false },
    );
    app.enableShutdownHooks([], { useProcessExit: true });
    await app.listen(environment.NOTIFIER_PORT, '0.0.0.0');
    logger.info({ port: environment.NOTIFIER_PORT }, 'listening');
  } catch (error) {
    logger.fatal(describeError(error), 'the notifier could not start');
    process.exit(1);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exit(1);
});
