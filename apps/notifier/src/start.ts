import 'reflect-metadata';
import { type Logger, NestLogger } from '@ats/logging';
import { type Certificate, shutdownSignals, startApp } from '@ats/nest-app';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { configuration, type Environment } from './config/env.js';
import { Notifier } from './notifier.js';
import { NotifierModule } from './notifier.module.js';

/**
 * Time in ms to close connections after all work has ended. Connections that hang are dropped, because nothing needs
 * them.
 */
const CLOSED_WITHIN_MS = 2_000;

/** Starts the notifier. Resolves when it listens for requests. Ends the process when it cannot start. */
export const start = (): Promise<void> =>
  startApp({ configuration, create: createApp, port: ({ NOTIFIER_PORT }) => NOTIFIER_PORT });

async function createApp(
  environment: Environment,
  log: Logger,
  certificate: Certificate | undefined,
): Promise<NestFastifyApplication> {
  const https = certificate && { https: { ...certificate } };
  const app = await NestFactory.create<NestFastifyApplication>(
    NotifierModule.with(environment, log),
    new FastifyAdapter({ return503OnClosing: true, ...https }),
    { logger: new NestLogger(log), abortOnError: false },
  );
  app.enableShutdownHooks(shutdownSignals(certificate), { useProcessExit: true });
  app.get(Notifier).onStopped(() => setTimeout(() => process.exit(0), CLOSED_WITHIN_MS).unref());
  return app;
}
