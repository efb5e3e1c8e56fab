import { randomUUID } from 'node:crypto';
import { ApiError, type Client, createClient } from '@ats/client';
import { noteBody, noteToken } from './run-log.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The properties that every item has. */
export interface Item {
  readonly id: number;
  readonly url: string;
  readonly [name: string]: unknown;
}

export interface SubscriptionItem extends Item {
  readonly uuid: string;
  readonly signing_key: string;
  readonly topic: { readonly id: number; readonly url: string; readonly uuid: string };
}

/** The default minor version of the service, for a client that names none. `@ats/client` would name the newest one. */
const DEFAULT_VERSION = '1.7';

/** Calls the API through `@ats/client`, by absolute URLs or by paths below the base URL. */
export class ApiClient {
  readonly #client: Client;

  constructor(
    readonly baseUrl: string,
    readonly token: string,
    retries = 0,
  ) {
    noteToken(token);
    const headers = { 'Api-Version': DEFAULT_VERSION };
    this.#client = createClient({ baseUrl, token, headers, retries, fetch: (attempt) => this.sendOnce(attempt) });
    // Sends all attempts of a request with the same request id.
    this.#client.interceptors.request.use((request) => {
      if (!request.headers.has('x-request-id')) request.headers.set('x-request-id', randomUUID());
      return request;
    });
  }

  /** Sends one attempt of a request. */
  protected sendOnce(attempt: Request): Promise<Response> {
    return fetch(attempt);
  }

  /** Returns the answer. An answer that refuses the request is no error. */
  async request(
    method: Method,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { error, response } = await this.#client.request<unknown, unknown, false>({
      method,
      ...this.#placeOf(path),
      body,
      headers,
      parseAs: 'stream',
      throwOnError: false,
    });
    if (error === undefined) return response;
    if (!(error instanceof ApiError)) throw new Error(`${method} ${path}: no answer`, { cause: error });
    // Makes a new response, because the client has read the body of the refusal already.
    const text = typeof error.body === 'string' ? error.body : JSON.stringify(error.body);
    return new Response(text === '' ? null : text, { status: error.status, headers: response.headers });
  }

  get<T extends object = Item>(path: string): Promise<T> {
    return this.#call<T>('GET', path);
  }

  post<T extends object = Item>(path: string, body: unknown): Promise<T> {
    return this.#call<T>('POST', path, body);
  }

  put<T extends object = Item>(path: string, body: unknown): Promise<T> {
    return this.#call<T>('PUT', path, body);
  }

  async delete(path: string): Promise<void> {
    await this.#call('DELETE', path);
  }

  async #call<T extends object>(method: Method, path: string, body?: unknown): Promise<T> {
    noteBody(body);
    const request = { method, ...this.#placeOf(path), body, throwOnError: true } as const;
    const { data } = await this.#client.request<{ 200: T }, unknown, true>(request).catch((error: unknown) => {
      const status = error instanceof ApiError ? ` ${error.status}` : '';
      throw new Error(`${method} ${path}:${status} ${(error as Error).message}`, { cause: error });
    });
    noteBody(data);
    return data;
  }

  #placeOf(path: string): { readonly baseUrl: string; readonly url: string } {
    const { origin } = new URL(path, this.baseUrl);
    return path.startsWith(origin)
      ? { baseUrl: origin, url: path.slice(origin.length) }
      : { baseUrl: this.baseUrl, url: path };
  }
}

let serial = 0;

/** Creates a vacancy in the state `open`. */
export async function openVacancy(client: ApiClient): Promise<Item> {
  const { id } = await client.post('/vacancies', { title: 'Gardener' });
  return client.put(`/vacancies/${id}/state`, { state: 'open' });
}

/** Creates a candidate and the candidate's application to the vacancy. */
export function applyTo(client: ApiClient, vacancy: Item): Promise<Item> {
  serial += 1;
  const candidate = {
    firstname: 'Xanthippe',
    lastname: 'Vandersloot',
    email: `xanthippe.${Date.now()}.${serial}@example.com`,
  };
  return client.post('/applications', { opportunity_id: vacancy.id, candidate });
}

/**
 * Creates a topic with one subscription that sends to `destinationUrl`.
 * @param endpoint  properties of an endpoint that is created for the subscription; absent for one of its own
 */
export async function subscribe(
  client: ApiClient,
  topic: { readonly type: string; readonly expression?: string },
  destinationUrl: string,
  window: { readonly start_dt?: string; readonly end_dt?: string } = {},
  endpoint?: Readonly<Record<string, unknown>>,
): Promise<SubscriptionItem> {
  const { id } = await client.post('/notification_topics', { name: 'Test', ...topic });
  const target = endpoint
    ? {
        endpoint_id: (
          await client.post('/notification_endpoints', { name: 'Test', destination_url: destinationUrl, ...endpoint })
        ).id,
      }
    : { destination_url: destinationUrl };
  return client.post<SubscriptionItem>(`/notification_topics/${id}/subscriptions`, { ...target, ...window });
}
