import { ApiClient } from './api-client.js';

/** Number of retries of the client. While no API is available, the proxy asks for a pause of a second before each. */
const RETRIES = 60;

/** A client that retries for at least a minute, because processes are killed meanwhile. */
export class RetryingClient extends ApiClient {
  /** The ids of the DELETE requests that were sent. */
  readonly #deleted = new Set<string>();

  constructor(baseUrl: string, token: string) {
    super(baseUrl, token, RETRIES);
  }

  /** Reads the whole answer. An answer that breaks off then counts as no answer. */
  protected override async sendOnce(attempt: Request): Promise<Response> {
    const response = await super.sendOnce(attempt);
    const text = await response.text();
    if (attempt.method === 'DELETE') {
      const id = attempt.headers.get('x-request-id') ?? '';
      // An earlier attempt of this request has already deleted the item.
      if (response.status === 404 && this.#deleted.has(id)) return new Response(null, { status: 204 });
      this.#deleted.add(id);
    }
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
  }
}
