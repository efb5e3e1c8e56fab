// This file sends requests to the service.

const PAGE = 200;
const ATTEMPTS = 60;
const PAUSE_MS = 1_000;
/** Statuses of a service that is overloaded, restarting or without its database. */
const TEMPORARY = new Set([429, 502, 503, 504]);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The service that has the data. `address` ends in `/api/v1`. */
export class Source {
  constructor(address, token) {
    this.address = address;
    this.headers = { authorization: `Bearer ${token}` };
  }

  /** Repeats a request that gets no answer, or a temporary error. @returns status, body and next page */
  async get(url, accepted = []) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await fetch(url.startsWith('http') ? url : `${this.address}/${url}`, {
          headers: this.headers,
        });
        const text = await response.text();
        if (response.ok || accepted.includes(response.status))
          return { status: response.status, body: JSON.parse(text), next: nextOf(response.headers.get('link')) };
        if (!TEMPORARY.has(response.status) || attempt === ATTEMPTS)
          throw new Refusal(`GET ${url}: ${response.status} ${text}`);
        await pause(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      } catch (error) {
        if (error instanceof Refusal || attempt === ATTEMPTS) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  /** A page of the feed; undefined when the service no longer knows the token. */
  async changes(parameters) {
    const query = new URLSearchParams({ limit: String(PAGE), ...parameters });
    const { status, body } = await this.get(`changes?${query}`, [410]);
    return status === 410 ? undefined : body;
  }

  /** The first page of a collection. The order by id leaves no item out when others are added or deleted. */
  firstPage(collection) {
    return `${collection}?sort=id!asc&per_page=${PAGE}`;
  }

  /** An item; undefined when it does not exist. */
  async item(url) {
    const { status, body } = await this.get(url, [404]);
    return status === 404 ? undefined : body;
  }
}

class Refusal extends Error {}

const nextOf = (link) => /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
