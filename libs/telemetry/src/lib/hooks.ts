import { type IncomingHttpHeaders, type ServerResponse } from 'node:http';

/** The properties of a request that the hooks use. A Fastify request has them. */
export interface HookedRequest {
  /** The id of the request. */
  readonly id: string;
  /** The HTTP method. */
  readonly method: string;
  /** The headers of the request. */
  readonly headers: IncomingHttpHeaders;
  /** True when no route matches. */
  readonly is404: boolean;
  /** The route, with the template of its path. */
  readonly routeOptions: { readonly url?: string | undefined };
}

/** The properties of a reply that the hooks use. A Fastify reply has them. */
export interface HookedReply {
  /** The answer as an object of Node. */
  readonly raw: ServerResponse;
  /** Returns a header of the answer. */
  getHeader(name: string): unknown;
}

/** A hook for `addHook` of a Fastify server. */
export type Hook<Request extends HookedRequest = HookedRequest> = (
  request: Request,
  reply: HookedReply,
  done: () => void,
) => void;

/** Returns the pattern of the route, such as `/api/v1/candidates/:id`. Undefined when no route matches. */
export const routeOf = ({ is404, routeOptions }: HookedRequest): string | undefined =>
  is404 ? undefined : routeOptions.url;

/**
 * The status that is recorded when the client closes the connection before the answer is complete. Nginx uses the same
 * status.
 */
export const CLIENT_GONE = 499;

type Socket = ServerResponse['req']['socket'];

/**
 * Maps each connection to the functions to call when it closes. So a connection has only one listener, even if its
 * client sends many requests over it.
 */
const waiting = new WeakMap<Socket, Set<() => void>>();

function onceClosed(socket: Socket, callback: () => void): () => void {
  let callbacks = waiting.get(socket);
  if (!callbacks) {
    const all = (callbacks = new Set());
    waiting.set(socket, all);
    socket.once('close', () => all.forEach((each) => each()));
  }
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

/**
 * Calls `callback` with the status when the answer is complete or its connection is closed. Calls the callback at once
 * if the connection is closed already. Fastify's `onResponse` does not run for a closed connection. The event `close`
 * of an answer is not emitted after an earlier answer on the same connection.
 */
export function onceOver({ raw }: Pick<HookedReply, 'raw'>, callback: (status: number) => void): void {
  const { socket } = raw.req;
  const over = (status: number): void => {
    raw.off('finish', finished).off('close', gone);
    forget();
    callback(status);
  };
  const finished = (): void => over(raw.statusCode);
  const gone = (): void => over(CLIENT_GONE);
  const forget = onceClosed(socket, gone);
  raw.on('finish', finished).on('close', gone);
  if (isGone({ raw })) gone();
}

/** True when the client can no longer receive the answer. */
export const isGone = ({ raw }: Pick<HookedReply, 'raw'>): boolean =>
  raw.req.socket.destroyed || (raw.destroyed && !raw.writableFinished);
