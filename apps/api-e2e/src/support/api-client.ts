import { noteBody, noteToken } from './run-log.js';

/** The fields that every item has. */
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

/** A client of the API. It sends and receives JSON and takes absolute URLs or paths below the base URL. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    readonly token: string,
  ) {
    noteToken(token);
  }

  request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return fetch(path.startsWith('http') ? path : `${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  get<T extends object = Item>(path: string): Promise<T> {
    return this.#expect<T>('GET', path);
  }

  post<T extends object = Item>(path: string, body: unknown): Promise<T> {
    return this.#expect<T>('POST', path, body);
  }

  put<T extends object = Item>(path: string, body: unknown): Promise<T> {
    return this.#expect<T>('PUT', path, body);
  }

  async delete(path: string): Promise<void> {
    const response = await this.request('DELETE', path);
    if (response.status !== 204) throw new Error(`DELETE ${path}: ${response.status} ${await response.text()}`);
  }

  async #expect<T extends object>(method: string, path: string, body?: unknown): Promise<T> {
    noteBody(body);
    const response = await this.request(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    const answer = (await response.json()) as T;
    noteBody(answer);
    return answer;
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

/** Creates a topic with one subscription that sends to `destinationUrl`. */
export async function subscribe(
  client: ApiClient,
  topic: { readonly type: string; readonly expression?: string },
  destinationUrl: string,
  window: { readonly start_dt?: string; readonly end_dt?: string } = {},
): Promise<SubscriptionItem> {
  const { id } = await client.post('/notification_topics', { name: 'Test', ...topic });
  return client.post<SubscriptionItem>(`/notification_topics/${id}/subscriptions`, {
    destination_url: destinationUrl,
    ...window,
  });
}
