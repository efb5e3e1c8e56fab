import { type Logger, NestLogger } from '@ats/logging';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type AppOptions } from './app-options.js';
import { AppModule } from './app.module.js';
import { type Environment } from './config/env.js';
import { Metrics } from './metrics/metrics.js';
import { watchRequests } from './metrics/watch-requests.js';
import { Authentication } from './request/authentication.js';
import { acceptBodies } from './request/body-parser.js';
import { ContextBuilder } from './request/context-builder.js';
import { Draining } from './request/draining.js';
import { answerMalformedRequests, refuseExpectation, refuseTunnels } from './request/malformed-request.js';
import { RequestLines } from './request/request-log.js';
import { addRequestRules, markAnswers, refusePath, requestIdOf } from './request/request-rules.js';
import { MAX_PATH_LENGTH, RouteTable } from './request/route-table.js';
import { sendOlderAnswers } from './versions/older-answers.js';

const MAX_BODY_BYTES = 1024 * 1024;
/** From the first byte of a request to the last of its body: 17 KiB a second, for the largest. */
const MAX_ARRIVAL_MS = 60_000;
/** How soon it is noticed that one takes longer. */
const ARRIVAL_CHECKED_MS = 5_000;

/** The whole API, ready to listen or to be called in process. */
export async function createApp(
  environment: Environment,
  logger: Logger,
  options: AppOptions = {},
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new RequestLines(),
    genReqId: requestIdOf,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: MAX_ARRIVAL_MS,
    // Whoever still has a connection is served, and told to make no further use of it.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformedRequests(logger),
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      void refusePath(app.get(Authentication), request, reply),
    trustProxy: environment.TRUSTED_PROXIES ?? false,
    routerOptions: { maxParamLength: MAX_PATH_LENGTH },
    // Refused like all else, with a body: see `addRequestRules`.
    http: { requireHostHeader: false, connectionsCheckingInterval: ARRIVAL_CHECKED_MS },
  });
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(environment, options),
    adapter,
    {
      logger: new NestLogger(logger),
      bodyParser: false,
      abortOnError: false,
    },
  );
  const fastify = app.getHttpAdapter().getInstance();
  watchRequests(fastify, app.get(Metrics));
  const routes = app.get(RouteTable);
  routes.watch(fastify);
  acceptBodies(fastify);
  markAnswers(fastify);
  app.get(Draining).guard(fastify);
  const authentication = app.get(Authentication);
  authentication.guard(fastify);
  addRequestRules(fastify);
  app.get(ContextBuilder).guard(fastify, options);
  // After it, since which paths there are depends on the version that was asked for.
  routes.guard(fastify);
  if (options.versioning !== false) sendOlderAnswers(fastify);
  fastify.server.on(
    'checkExpectation',
    (request, response) => void refuseExpectation(request, response, { logger, authentication }),
  );
  fastify.server.on('connect', refuseTunnels(logger));
  app.enableShutdownHooks([], { useProcessExit: true });
  return app;
}
