import { type Agent, type ClientRequest, type IncomingMessage, request as createRequest } from 'node:http';
import { type Socket } from 'node:net';

const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Maximum number of interim answers (1xx) before the final answer. Interim answers are ignored. Some servers send one
 * interim answer. An endless stream of interim answers is an attack.
 */
const MAX_INTERIM_ANSWERS = 16;

export interface OutgoingRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The time by `performance.now()` after which nothing is sent. Defaults to no limit. */
  readonly sendBefore?: number;
}

/** The error for a request whose connection was ready after `sendBefore`. Nothing was sent. */
export class TooLateError extends Error {}

/** The error for an answer that is not valid HTTP. */
export class BadResponseError extends Error {}

/** The error for headers that did not arrive in time. */
export class TimeoutError extends Error {}

/** The error for a kept connection that was closed before it returned a byte. */
class StaleConnectionError extends Error {}

/** An answer whose headers have arrived. The caller must read its body or destroy it. */
export interface Answered {
  readonly response: IncomingMessage;
  readonly remoteAddress: string | null;
}

/**
 * Posts one request. Follows no redirect. When the server closes a kept connection before it sends a byte, the request
 * is sent once more, over a new connection. The server may then receive the message twice with the same id, which
 * receivers must expect (docs/reference/notifications.md).
 * @param timeoutMs  time from now to the end of the headers
 * @throws TooLateError, TimeoutError, BadResponseError, or the error of the socket
 */
export async function post(
  { kept, fresh }: { readonly kept: Agent; readonly fresh: Agent },
  outgoing: OutgoingRequest,
  timeoutMs: number,
): Promise<Answered> {
  const startedAt = performance.now();
  try {
    return await postOver(kept, outgoing, timeoutMs);
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    return postOver(fresh, outgoing, timeoutMs - (performance.now() - startedAt));
  }
}

function postOver(agent: Agent, outgoing: OutgoingRequest, timeoutMs: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = createRequest({
      agent,
      method: 'POST',
      path: outgoing.path,
      headers: headerLines(outgoing),
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
    });
    const silence = watchSilence(request);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      clearImmediate(late);
      reject(silence.end() && isClosed(error) ? new StaleConnectionError(error.message) : error);
      request.destroy();
    };
    // This timer is separate, because `request.setTimeout` restarts with each byte. If this process was blocked, the
    // answer may already be in the socket: `setImmediate` lets the process read it before the timeout ends the request.
    let late: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => (late = setImmediate(() => fail(new TimeoutError()))), timeoutMs);
    let interimAnswers = 0;
    request.on('information', () => ++interimAnswers > MAX_INTERIM_ANSWERS && fail(new BadResponseError()));
    request.on('upgrade', () => fail(new BadResponseError()));
    request.on('error', fail);
    request.on('response', (response) => {
      clearTimeout(timer);
      clearImmediate(late);
      silence.end();
      resolve({ response, remoteAddress: request.socket?.remoteAddress ?? null });
    });
    // The time is checked only when the connection is ready, because the process may be frozen during any earlier step.
    request.once('socket', () => {
      if (performance.now() > (outgoing.sendBefore ?? Infinity)) fail(new TooLateError());
      else request.end(outgoing.body);
    });
  });
}

/**
 * Watches for the first byte of the answer. `end` returns true when the connection was a kept connection and has
 * returned no byte.
 */
function watchSilence(request: ClientRequest): { end(): boolean } {
  let isSilent = true;
  let socket: Socket | undefined;
  const note = (): void => void (isSilent = false);
  request.once('socket', (assigned) => (socket = assigned).once('data', note));
  return {
    end: () => {
      socket?.off('data', note);
      return isSilent && request.reusedSocket;
    },
  };
}

const isClosed = (error: Error): boolean => 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * Returns header names and values as one flat list. With an object, Node takes twice as long, because it adds defaults.
 */
const headerLines = ({ host, headers, body }: OutgoingRequest): string[] => [
  'host',
  host,
  ...Object.entries(headers).flat(),
  'content-length',
  String(Buffer.byteLength(body)),
];
