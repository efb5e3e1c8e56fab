import { Pool } from 'undici';

/**
 * An HTTP client that uses little CPU time, with keep-alive connections to one server. Benchmarks measure the server
 * with it, because `@ats/client` would also measure how `fetch` reads and parses answers.
 */
export class Client {
  #pool;
  #headers;

  /**
   * @param {string} origin
   * @param {{ token?: string, connections?: number, headers?: Readonly<Record<string, string>> }} [options]
   */
  constructor(origin, { token, connections = 8, headers } = {}) {
    this.origin = origin;
    this.#pool = new Pool(origin, { connections, pipelining: 1 });
    this.#headers = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  }

  /** Reads a page and discards the body. @returns {Promise<import('node:http').IncomingHttpHeaders>} */
  read(path) {
    return new Promise((resolve, reject) => {
      let status = 0;
      let headers = {};
      const handler = {
        onRequestStart: () => undefined,
        onResponseStart: (_, statusCode, received) => {
          status = statusCode;
          headers = received;
        },
        onResponseData: () => undefined,
        onResponseEnd: () => (status === 200 ? resolve(headers) : reject(new Error(`${path}: ${status}`))),
        onResponseError: (_, error) => reject(error),
      };
      this.#pool.dispatch({ path, method: 'GET', headers: this.#headers }, handler);
    });
  }

  /** @returns {Promise<{ headers: import('node:http').IncomingHttpHeaders, text: string }>} */
  async get(path) {
    return this.send('GET', path);
  }

  /** Reads a body without decoding it. @returns {Promise<Buffer>} */
  bytes(path) {
    return new Promise((resolve, reject) => {
      const chunks = [];
      let status = 0;
      const handler = {
        onRequestStart: () => undefined,
        onResponseStart: (_, statusCode) => (status = statusCode),
        onResponseData: (_, chunk) => chunks.push(chunk),
        onResponseEnd: () => {
          const body = Buffer.concat(chunks);
          if (status === 200) resolve(body);
          else reject(new Error(`${path}: ${status} ${body}`));
        },
        onResponseError: (_, error) => reject(error),
      };
      this.#pool.dispatch({ path, method: 'GET', headers: this.#headers }, handler);
    });
  }

  /** @throws {Error} for every status that is not 2xx */
  async send(method, path, json) {
    const headers = { ...this.#headers, ...(json && { 'content-type': 'application/json' }) };
    const {
      statusCode,
      headers: received,
      body,
    } = await this.#pool.request({ path, method, headers, body: json && JSON.stringify(json) });
    const text = await body.text();
    if (statusCode < 200 || statusCode > 299) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
    return { headers: received, text };
  }

  close() {
    return this.#pool.close();
  }
}

/**
 * Returns the path and query of the link with this relation, such as `next`, in the `Link` header.
 * @returns {string | undefined}
 */
export function linkTo(relation, { link = '' }) {
  const url = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link)?.[1];
  if (url === undefined) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
