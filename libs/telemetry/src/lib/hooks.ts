import { type IncomingHttpHeaders, type ServerResponse } from 'node:http';

/** What is looked at of a request; those of Fastify are such. */
export interface HookedRequest {
  readonly id: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** No route takes it. */
  readonly is404: boolean;
  readonly routeOptions: { readonly url?: string | undefined };
}

/** What is looked at of a reply; those of Fastify are such. */
export interface HookedReply {
  readonly raw: ServerResponse;
  getHeader(name: string): unknown;
}

/** To be added to a Fastify server with `addHook`. */
export type Hook<Request extends HookedRequest = HookedRequest> = (
  request: Request,
  reply: HookedReply,
  done: () => void,
) => void;

/** The pattern of the route that takes a request: `/api/v1/candidates/:id`. */
export const routeOf = ({ is404, routeOptions }: HookedRequest): string | undefined =>
  is404 ? undefined : routeOptions.url;

/** What is said of an answer whose client had gone before it was complete, as nginx does. */
export const CLIENT_GONE = 499;

type Socket = ServerResponse['req']['socket'];

/** Of each connection, what is called when it closes: one listener, however many requests a client sends ahead. */
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
 * Calls back when an answer is complete or its client has gone, at once when it is gone already; with its status. Not by `onResponse`,
 * which does not run for a client that has gone, nor by `close` of the answer, which does not come where another one was before it on the same connection.
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

/** Whether nobody is there any more to read the answer. */
export const isGone = ({ raw }: Pick<HookedReply, 'raw'>): boolean =>
  raw.req.socket.destroyed || (raw.destroyed && !raw.writableFinished);
