import { type Logger, NestLogger } from '@ats/logging';
import { shutdownSignals } from '@ats/nest-app';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type AppOptions } from './request/app-options.js';
import { AppModule } from './app.module.js';
import { AuditLog } from './audit/audit-log.js';
import { type Environment } from './config/env.js';
import { CONSOLE_FOLDER, serveConsole } from './console/console-site.js';
import { sendBrowsersToSite, serveSite, SITE_FOLDER } from './docs/site.js';
import { markUploads, overrideMethod } from './documents/tus-protocol.js';
import { Metrics } from './metrics/metrics.js';
import { watchRequests } from './metrics/watch-requests.js';
import { refuseUnacceptable } from './request/accept.js';
import { Authentication } from './request/authentication.js';
import { acceptBodies, streamBodies } from './request/body-parser.js';
import { boundAnswers } from './request/bound-answers.js';
import { allowOrigins } from './request/browser-rules.js';
import { compressAnswers } from './request/compression.js';
import { ContextBuilder } from './request/context-builder.js';
import { Draining } from './request/draining.js';
import { limitAnswers } from './request/limited-answers.js';
import { answerMalformedRequests, refuseExpectation, refuseTunnels } from './request/malformed-request.js';
import { RequestLines } from './request/request-log.js';
import { addRequestRules, markAnswers, refusePath, requestIdOf } from './request/request-rules.js';
import { MAX_PATH_LENGTH, RouteTable } from './request/route-table.js';
import { sendOlderAnswers } from './versions/older-answers.js';

const MAX_BODY_BYTES = 1024 * 1024;
/**
 * Time within which the headers and the body of a request must arrive. A client must send the largest body at 17 KiB/s
 * or faster.
 */
const MAX_ARRIVAL_MS = 60_000;
/** Interval of the check for requests that exceed `MAX_ARRIVAL_MS`. */
const ARRIVAL_CHECK_MS = 5_000;

/** Options of Node's server: for HTTPS with a certificate, otherwise for HTTP. */
function serverOptions({ certificate }: AppOptions): object {
  // Turns off Node's check of the Host header, because Node answers without a body. `addRequestRules` checks the header
  // instead.
  const node = { requireHostHeader: false, connectionsCheckingInterval: ARRIVAL_CHECK_MS };
  return certificate ? { https: { ...node, ...certificate } } : { http: node };
}

/** Creates the whole API. It does not listen on a port yet, but tests can already send requests in the same process. */
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
    // `Draining` serves requests on open connections until the process ends, and asks clients to close the connections.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformedRequests(logger),
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      void refusePath(app.get(Authentication), request, reply),
    rewriteUrl: overrideMethod,
    trustProxy: environment.TRUSTED_PROXIES ?? false,
    routerOptions: { maxParamLength: MAX_PATH_LENGTH },
    ...serverOptions(options),
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
  const basePath = new URL(environment.PUBLIC_BASE_URL).pathname.replace(/\/$/, '');
  acceptBodies(fastify);
  streamBodies(fastify);
  markAnswers(fastify, environment);
  sendBrowsersToSite(fastify, basePath);
  markUploads(fastify);
  allowOrigins(fastify, environment);
  app.get(Draining).guard(fastify);
  const authentication = app.get(Authentication);
  authentication.guard(fastify);
  addRequestRules(fastify, environment);
  app.get(ContextBuilder).guard(fastify, options);
  // This hook must follow `ContextBuilder`, because the negotiated version decides which paths exist.
  routes.guard(fastify);
  refuseUnacceptable(fastify);
  if (options.versioning !== false) sendOlderAnswers(fastify);
  limitAnswers(fastify);
  boundAnswers(fastify);
  app.get(AuditLog).guard(fastify, options);
  compressAnswers(fastify);
  serveSite(fastify, { folder: options.siteFolder ?? SITE_FOLDER, basePath });
  serveConsole(fastify, { folder: options.consoleFolder ?? CONSOLE_FOLDER, basePath });
  fastify.server.on(
    'checkExpectation',
    (request, response) => void refuseExpectation(request, response, { logger, authentication }),
  );
  fastify.server.on('connect', refuseTunnels(logger));
  app.enableShutdownHooks(shutdownSignals(options.certificate), { useProcessExit: true });
  return app;
}
