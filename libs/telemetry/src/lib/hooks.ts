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
export type Hook<Request extends HookedRequest = HookedRequest> = (request: Request, reply: HookedReply, done: () => void) => void;

/** The pattern of the route that takes a request: `/api/v1/candidates/:id`. */
export const routeOf = ({ is404, routeOptions }: HookedRequest): string | undefined => (is404 ? undefined : routeOptions.url);

/** What is said of an answer whose client had gone before it was complete, as nginx does. */
const CLIENT_GONE = 499;

/**
 * Calls back when an answer is complete or its client has gone, with its status. Not by `onResponse`, which does not run for a client
 * that has gone, nor by `close` alone, which does not come where a server is called in process.
 */
export function onceOver({ raw }: HookedReply, callback: (status: number) => void): void {
  const finished = (): void => over(raw.statusCode);
  const closed = (): void => over(CLIENT_GONE);
  const over = (status: number): void => {
    raw.off('finish', finished).off('close', closed);
    callback(status);
  };
  raw.on('finish', finished).on('close', closed);
}
