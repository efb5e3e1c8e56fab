import { ApiClient } from './api-client.js';

/** The proxy asks for pauses of a second while no API serves. */
const RETRIES = 60;

/** A client that retries for at least a minute, while processes are killed. */
export class RetryingClient extends ApiClient {
  /** The ids of the requests to delete that were sent. */
  readonly #deleted = new Set<string>();

  constructor(baseUrl: string, token: string) {
    super(baseUrl, token, RETRIES);
  }

  /** Reads the whole answer, so that an answer that breaks off counts as none. */
  protected override async sendOnce(attempt: Request): Promise<Response> {
    const response = await super.sendOnce(attempt);
    const text = await response.text();
    if (attempt.method === 'DELETE') {
      const id = attempt.headers.get('x-request-id') ?? '';
      // An earlier attempt of this request deleted the item.
      if (response.status === 404 && this.#deleted.has(id)) return new Response(null, { status: 204 });
      this.#deleted.add(id);
    }
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
  }
}
