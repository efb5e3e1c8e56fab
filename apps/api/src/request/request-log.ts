import { AsyncLocalStorage } from 'node:async_hooks';
import { type Socket } from 'node:net';
import { type Logger } from '@ats/logging';
import { CLIENT_GONE, onceOver } from '@ats/telemetry';
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/** Asked for every few seconds, by machines that look whether the process lives: of interest when it does not. */
const ASKED_BY_WATCHERS = /^\/(health\/|metrics$)/;
/** Nobody was let in, or too often: where it came from is what an operator needs to know. */
const REFUSED = 400;

/**
 * Has one line written for the request, at its end: once its answer has left, or when the client has gone before that. It has the
 * pattern of the route and the ids in the path, never the address itself, for queries and unknown paths hold personal data; and
 * whose credential it was. Source: CONTRACT.md 10.
 */
export function logAtEnd(request: FastifyRequest, reply: FastifyReply): void {
  // What tells of the end is no part of the trace of the request; the line is.
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
      remote_address: !credential && status !== null && status >= REFUSED ? request.ip : undefined,
    },
    isAborted ? 'request aborted by the client' : 'request',
  );
}

function levelOf(status: number | null, route: string | null): 'error' | 'warn' | 'info' | 'debug' {
  const isFailed = status !== null && status >= 500;
  if (route !== null && ASKED_BY_WATCHERS.test(route)) return isFailed ? 'warn' : 'debug';
  return isFailed ? 'error' : 'info';
}

/** What stands in a path for an id and is none may be anything: an e-mail address, a name. */
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

/** What was refused before there was a request to speak of. */
export interface RefusedEarly {
  readonly requestId: string;
  readonly status: number;
  /** Of Node's parser: `HPE_INVALID_METHOD`. */
  readonly code?: string | undefined;
  readonly from: Socket;
}

/** The line of a request that no hook has seen. */
export function logRefusedEarly(
  log: Logger | FastifyBaseLogger,
  { requestId, status, code, from }: RefusedEarly,
): void {
  log.info(
    { request_id: requestId, method: null, route: null, status, code, remote_address: from.remoteAddress },
    'request refused before it was read',
  );
}

/** Fastify writes no line of its own for a request, but for one that comes while the process ends. */
export class RequestLines extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'request_id' });
  }

  override serviceUnavailable(log: FastifyBaseLogger): void {
    log.info({ status: 503 }, 'request refused: the process ends');
  }
}
