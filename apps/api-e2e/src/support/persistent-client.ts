import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from './api-client.js';

/** A process that dies takes with it what it was doing for so long at most: see `CLAIM_SECONDS`. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;
/** Away for a moment; and the first request with the key may still be on its way. */
const FOR_LATER = new Set([409, 429, 502, 503, 504]);

/** An integrator who does as the reference says: every POST has an `Idempotency-Key`, and what came to nothing is sent again, with the same headers. */
export class PersistentClient extends ApiClient {
  /** Requests that were sent more than once. */
  repeated = 0;

  override async request(
    method: string,
    path: string,
    body?: unknown,
    given: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const headers = {
      'x-request-id': randomUUID(),
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...given,
    };
    const deadline = Date.now() + PATIENCE_MS;
    for (let tries = 1; ; tries++) {
      const answer = await this.#try(method, path, { body, headers });
      if (tries === 2) this.repeated += 1;
      const isOver = Date.now() > deadline;
      if (answer instanceof Response) {
        const after = answer.headers.get('retry-after');
        if (!FOR_LATER.has(answer.status) || after === null || isOver) {
          // It was deleted, by one of the requests before.
          return method === 'DELETE' && tries > 1 && answer.status === 404
            ? new Response(null, { status: 204 })
            : answer;
        }
        await sleep(Number(after) * 1_000);
      } else {
        if (isOver) throw answer;
        await sleep(PAUSE_MS);
      }
    }
  }

  /** The whole answer, or the error that kept it from coming. */
  async #try(
    method: string,
    path: string,
    { body, headers }: { readonly body: unknown; readonly headers: Readonly<Record<string, string>> },
  ): Promise<Response | Error> {
    try {
      const response = await super.request(method, path, body, headers);
      const text = await response.text();
      return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
