import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from './api-client.js';

/**
 * Time in which a request is retried. It is longer than `CLAIM_SECONDS`, for which a killed process holds its claims.
 */
const RETRY_MS = 60_000;
const PAUSE_MS = 100;
/** Statuses that allow a retry. 409 means that the first request with the idempotency key may still be running. */
const RETRYABLE = new Set([409, 429, 502, 503, 504]);

/**
 * A client that retries as the API reference recommends. Every POST has an idempotency key. A failed request is sent
 * again with the same headers.
 */
export class RetryingClient extends ApiClient {
  /** Number of requests that were sent more than once. */
  retried = 0;

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
    const deadline = Date.now() + RETRY_MS;
    for (let tries = 1; ; tries++) {
      const answer = await this.#try(method, path, { body, headers });
      if (tries === 2) this.retried += 1;
      const isOver = Date.now() > deadline;
      if (answer instanceof Response) {
        const after = answer.headers.get('retry-after');
        if (!RETRYABLE.has(answer.status) || after === null || isOver) {
          // An earlier request of this loop deleted the item.
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

  /** @returns the complete answer, or the error that prevented it */
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
