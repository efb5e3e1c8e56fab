import { createClient as createGenerated, createConfig, type Client } from '../generated/client/index.js';
import { API_VERSION } from '../generated/version.gen.js';
import { type SignIn } from './credentials.js';
import { ApiError, ConnectionError } from './errors.js';
import { type RetryOptions, sendWithRetries } from './retry.js';
import { untilAborted } from './until-aborted.js';

/** The address of the service, the credential, and how requests are sent. */
export interface CreateClientOptions extends RetryOptions {
  /** The address of the service, such as `https://ats.example.com`. A path `/api/v1` at its end is ignored. */
  readonly baseUrl: string;
  /** The token of a credential, or a function that returns it for each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** A way to sign in that replaces `token`, such as `clientCredentials` of this package. */
  readonly signIn?: SignIn;
  /** Headers that every request gets, such as `Accept-Language`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the `fetch` of the platform, for a proxy or for tests. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Makes 32 random hexadecimal digits. `crypto.randomUUID` is missing on pages without HTTPS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Creates a client for the calls of this package. Every POST gets an `Idempotency-Key`, so that it can be repeated. A
 * call throws `ApiError` for an answer with a status from 400 on, and `ConnectionError` when there is no answer or its
 * end is missing.
 * @throws {TypeError} when `baseUrl` is no address with `http` or `https`. Web pages may give a relative one
 */
export function createClient(options: CreateClientOptions): Client {
  const { token, signIn, headers, fetch: sendOnce = (request: Request) => fetch(request) } = options;
  const baseUrl = options.baseUrl.replace(/(\/api\/v1)?\/*$/, '');
  // In a web page, the base URL may be relative to the URL of the page.
  if (!/^https?:\/\/./.test(baseUrl) && !('location' in globalThis))
    throw new TypeError(`baseUrl must be an address such as https://ats.example.com, found "${options.baseUrl}"`);
  const send = (request: Request, parseAs?: string): Promise<Response> =>
    sendWithRetries(request, sendOnce, options, parseAs);
  const source = signIn?.(baseUrl, send) ?? (() => (typeof token === 'function' ? token() : token));
  const authorize = async (request: Request, refused: boolean): Promise<void> => {
    const text = await untilAborted(Promise.resolve(source(refused, request.signal)), request.signal);
    if (text !== undefined) request.headers.set('Authorization', `Bearer ${text}`);
  };
  const sendSigned = async (request: Request, parseAs?: string): Promise<Response> => {
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      request.headers.set('Idempotency-Key', randomKey());
    await authorize(request, false);
    const again = signIn && request.clone();
    const response = await send(request, parseAs);
    if (!again || response.status !== 401) return response;
    // The service can refuse a token before it expires, for example after its signing key was replaced. So the client
    // signs in again.
    await authorize(again, true);
    return send(again, parseAs);
  };

  const sendStream = (request: Request | URL | string): Promise<Response> => sendSigned(request as Request, 'stream');
  const client = createGenerated(
    createConfig({
      baseUrl,
      headers: { 'Api-Version': API_VERSION, ...headers },
      fetch: sendStream,
      throwOnError: true,
    }),
  );
  client.interceptors.request.use((request, call) => {
    if (call.fetch === sendStream) call.fetch = (sent) => sendSigned(sent as Request, call.parseAs);
    return request;
  });
  client.interceptors.error.use((error, response, request) => {
    if (response as Response | undefined) return new ApiError(response, error);
    if (error instanceof ApiError || error instanceof ConnectionError || request.signal.aborted) return error;
    const { origin } = new URL(request.url);
    return new ConnectionError(`No answer from ${origin}.`, { cause: error });
  });
  return client;
}
