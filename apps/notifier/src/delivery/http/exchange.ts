import { type Agent, type ClientRequest, type IncomingMessage, request as createRequest } from 'node:http';
import { type Socket } from 'node:net';

const MAX_HEADER_BYTES = 16 * 1024;
/** Interim answers (1xx) carry nothing that we asked for. Some servers send one; a stream of them is an attack. */
const MAX_INTERIM_ANSWERS = 16;

export interface OutgoingRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the other side sent is no answer that HTTP knows. */
export class BadResponseError extends Error {}

/** The headers of the answer were not complete in time. */
export class TimeoutError extends Error {}

/** A connection that was kept from an earlier request turned out to be closed: nothing came back over it. */
class StaleConnectionError extends Error {}

/** The headers of an answer; its body is still to be read or destroyed. */
export interface Answered {
  readonly response: IncomingMessage;
  readonly remoteAddress: string | null;
}

/**
 * Posts once, without following anything. A server may close a kept connection just as we write to it; when it did so before
 * sending a byte, the request goes over a new connection, once. Should the server have read it all the same, it gets the
 * message twice under the same id, which it has to expect anyway (CONTRACT.md 8), while an attempt would be lost otherwise.
 * @param timeoutMs for all of it, up to the end of the headers
 * @throws {TimeoutError}, {@link BadResponseError}, or the error of the socket
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
    // Not the request's own timeout, which would start anew with each byte. A process that stood still first reads what has
    // arrived meanwhile: it may well be the answer.
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
    request.end(outgoing.body);
  });
}

/** Whether a request went over a kept connection, and has got no byte back until `end`. */
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

/** As they go over the wire. Written out whole, they cost half of what an object with defaults does. */
const headerLines = ({ host, headers, body }: OutgoingRequest): string[] => [
  'host',
  host,
  ...Object.entries(headers).flat(),
  'content-length',
  String(Buffer.byteLength(body)),
];
