// This file sends requests to the service.
import { ApiError, createClient } from '@ats/client';

const PAGE = 200;
/** The client repeats a request this often while the service is overloaded, restarting or without its database. */
const RETRIES = 20;

/** The service that has the data. `address` ends in `/api/v1`. */
export class Source {
  constructor(address, token) {
    this.client = createClient({ baseUrl: address, token, retries: RETRIES });
  }

  /** Reads an address of the API. @returns body and next page */
  async get(address) {
    const [url] = /\/api\/v1\/.*/.exec(address) ?? [];
    const { data, response } = await this.client.get({ url, throwOnError: true });
    return { body: data, next: nextOf(response.headers.get('link')) };
  }

  /** Reads a page of the changes feed. Returns undefined when the service no longer knows the token. */
  async changes(parameters) {
    const query = new URLSearchParams({ limit: String(PAGE), ...parameters });
    return (await unless(410, this.get(`/api/v1/changes?${query}`)))?.body;
  }

  /** Returns the address of a collection's first page. The order by id keeps pages complete when items come or go. */
  firstPage(collection) {
    return `/api/v1/${collection}?sort=id!asc&per_page=${PAGE}`;
  }

  /** Reads an item. Returns undefined when the item does not exist. */
  async item(url) {
    return (await unless(404, this.get(url)))?.body;
  }
}

/** Returns the result of a request, or undefined when the answer has this status. */
const unless = (status, result) =>
  result.catch((error) => {
    if (error instanceof ApiError && error.status === status) return undefined;
    throw error;
  });

const nextOf = (link) => /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
