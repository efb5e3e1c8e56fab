// @ts-check
import { PlainError } from '../workspace.mjs';

/** The minor version of a client that names none, which every release serves. */
const DEFAULT_VERSION = '1.7';

/**
 * @callback Call
 * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @param {string} path path and query behind `/api/v1`
 * @param {object} [body]
 * @returns {Promise<any>} the body of the answer
 */

/**
 * Returns a function that calls an API through `@ats/client` and repeats nothing. It throws for each answer that is not
 * a success.
 * @param {{ url: string, token: string }} options the address of the API, and the token of a credential
 * @returns {Call}
 */
export function createCall({ url, token }) {
  /** @type {Promise<import('@ats/client').Client> | undefined} */
  let client;
  const connect = async () => {
    // Tools build the client before they call an API.
    const { createClient } = await import('@ats/client');
    return createClient({ baseUrl: url, token, retries: 0, headers: { 'Api-Version': DEFAULT_VERSION } });
  };
  return async (method, path, body) => {
    client ??= connect();
    const request = { method, url: `/api/v1${path}`, body, throwOnError: /** @type {const} */ (true) };
    try {
      return (await (await client).request(request)).data;
    } catch (error) {
      const { status, message } = /** @type {Error & { status?: number }} */ (error);
      throw new PlainError(`${method} ${path}: ${status ?? 'no answer'} ${message}`, { cause: error });
    }
  };
}
