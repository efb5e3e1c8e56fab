import { once } from 'node:events';
import { MAX_PER_PAGE } from '@ats/pagination';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type WaitingClient } from './waiting-client.js';

/** The media type of server-sent events. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export const EVENT_STREAM = 'text/event-stream';

/**
 * Limits of one part of a stream: the number of its events, and the seconds to wait for the first. The wait is short,
 * so that no proxy closes the connection.
 */
export const STREAM_PAGE = { limit: MAX_PER_PAGE, waitSeconds: 15 } as const;

/** Maximum time that a client may read nothing. Its connection is then closed. */
const STALLED_MS = 60_000;

/** A part of a stream. */
export interface StreamPart {
  readonly events: readonly { readonly id: string; readonly event: string; readonly data: string }[];
  /**
   * The id of the position that the stream has reached without new events. Without events and id, the part is a
   * comment.
   */
  readonly id?: string;
}

/**
 * True when the client prefers a stream to JSON.
 * @param preferred  the type for a client that accepts both
 */
export const wantsStream = ({ method, headers }: FastifyRequest, preferred = 'application/json'): boolean =>
  method === 'GET' && new Negotiator({ headers }).mediaTypes(typesFrom(preferred))[0] === EVENT_STREAM;

const typesFrom = (preferred: string): string[] => [...new Set([preferred, 'application/json', EVENT_STREAM])];

/** Returns the id of the last event that the client has read. A client sends it when it connects again. */
export function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * Sends the parts as server-sent events until they end or the client closes the connection. An error before the first
 * part is thrown. A later error ends the stream: the client connects again and gets the error as the answer.
 * @param stalledMs  see `STALLED_MS`; shorter in tests
 */
export async function sendEventStream(
  reply: FastifyReply,
  parts: AsyncGenerator<StreamPart>,
  { gone, release }: Pick<WaitingClient, 'gone' | 'release'>,
  stalledMs = STALLED_MS,
): Promise<void> {
  const first = await parts.next();
  const headers = { ...reply.getHeaders(), 'content-type': `${EVENT_STREAM}; charset=utf-8` };
  reply.hijack();
  release();
  const { raw, log } = reply;
  raw.writeHead(200, headers as Record<string, string>);
  try {
    for (let part = first; !part.done && !gone.aborted; part = await parts.next()) {
      const isSent = raw.write(textOf(part.value));
      if (!isSent) await once(raw, 'drain', { signal: AbortSignal.any([gone, AbortSignal.timeout(stalledMs)]) });
    }
    raw.end();
  } catch (error) {
    log.debug({ err: error }, 'a stream of server-sent events ended before it was complete');
    if (raw.writableNeedDrain) raw.destroy();
    else raw.end();
  }
}

/**
 * Returns the text of a part. A part with only an id sets the position of the client. A comment keeps the connection
 * open.
 */
function textOf({ events, id: after }: StreamPart): string {
  if (events.length > 0)
    return events.map(({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`).join('');
  return after === undefined ? ': heartbeat\n\n' : `id: ${after}\n\n`;
}
