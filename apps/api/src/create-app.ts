import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger } from 'pino';
import { AppModule } from './app.module.js';
import { type Environment } from './config/env.js';
import { acceptJsonOnly } from './http/body-parser.js';
import { answerMalformedRequest } from './http/malformed-request.js';
import { addRequestRules, requestIdOf } from './http/request-rules.js';
import { RouteTable } from './http/route-table.js';
import { NestLog } from './nest-log.js';

const MAX_BODY_BYTES = 1024 * 1024;

/** The whole API, ready to listen or to be called in process. */
export async function createApp(environment: Environment, log: Logger): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: log,
    disableRequestLogging: true,
    genReqId: requestIdOf,
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformedRequest,
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(environment), adapter, {
    logger: new NestLog(log),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  app.get(RouteTable).watch(fastify);
  acceptJsonOnly(fastify);
  addRequestRules(fastify);
  app.enableShutdownHooks([], { useProcessExit: true });
  return app;
}
