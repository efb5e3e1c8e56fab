import { AsyncLocalStorage } from 'node:async_hooks';
import { type Socket } from 'node:net';
import { type Logger } from '@ats/logging';
import { CLIENT_GONE, onceOver } from '@ats/telemetry';
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/** Routes that monitoring calls every few seconds. Their successful requests are logged at debug level. */
const MONITORING_ROUTES = /^\/(health\/|metrics$)/;
/** Lowest status for which the log line of a request without a credential has the IP address of the client. */
const FIRST_ERROR_STATUS = 400;

/**
 * Writes one log line at the end of a request: when the answer was sent, or when the client closed the connection
 * earlier. The line has the pattern of the route and the ids in its path. The line never has the URL itself, because
 * queries and unknown paths can hold personal data. Source: docs/reference/operations.md, "Logs".
 */
export function logAtEnd(request: FastifyRequest, reply: FastifyReply): void {
  // Binds the log line to the trace of the request, because Node reports the end of the request outside of this trace.
  const writeInContext = AsyncLocalStorage.bind(write);
  onceOver(reply, (status) => writeInContext(request, reply, status === CLIENT_GONE));
}

function write(request: FastifyRequest, reply: FastifyReply, isAborted: boolean): void {
  const { context, credential, method, routeOptions, log } = request;
  const status = isAborted ? null : reply.statusCode;
  const route = routeOptions.url ?? null;
  log[levelOf(status, route)](
    {
      method,
      route,
      params: route === null ? undefined : idsOf(request.params),
      status,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      response_bytes: isAborted ? undefined : bytesOf(method, reply),
      credential_id: credential?.id,
      api_version: context?.version,
      language: context?.settings.language,
      remote_address: !credential && status !== null && status >= FIRST_ERROR_STATUS ? request.ip : undefined,
    },
    isAborted ? 'request aborted by the client' : 'request',
  );
}

function levelOf(status: number | null, route: string | null): 'error' | 'warn' | 'info' | 'debug' {
  const isFailed = status !== null && status >= 500;
  if (route !== null && MONITORING_ROUTES.test(route)) return isFailed ? 'warn' : 'debug';
  return isFailed ? 'error' : 'info';
}

/** Keeps the numeric path parameters. A text in the place of an id may be personal data, such as an e-mail address. */
function idsOf(params: unknown): Readonly<Record<string, number>> | undefined {
  let ids: Record<string, number> | undefined;
  for (const [name, value] of Object.entries(params as Readonly<Record<string, string>>)) {
    if (/^\d{1,15}$/.test(value)) (ids ??= {})[name] = Number(value);
  }
  return ids;
}

function bytesOf(method: string, reply: FastifyReply): number {
  const length = Number(reply.getHeader('content-length') ?? 0);
  return method === 'HEAD' || Number.isNaN(length) ? 0 : length;
}

/** A request that was refused before Fastify made a request object. */
export interface RefusedEarly {
  readonly requestId: string;
  readonly status: number;
  /** Error code of Node's parser, such as `HPE_INVALID_METHOD`. */
  readonly code?: string | undefined;
  readonly from: Socket;
}

/** Logs a request that was refused before any hook ran. */
export function logRefusedEarly(
  log: Logger | FastifyBaseLogger,
  { requestId, status, code, from }: RefusedEarly,
): void {
  log.info(
    { request_id: requestId, method: null, route: null, status, code, remote_address: from.remoteAddress },
    'a request was refused before it was read',
  );
}

/** Turns off Fastify's own log lines about requests, except the line about a request during shutdown. */
export class RequestLines extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'request_id' });
  }

  override serviceUnavailable(log: FastifyBaseLogger): void {
    log.info({ status: 503 }, 'a request was refused during shutdown');
  }
}
