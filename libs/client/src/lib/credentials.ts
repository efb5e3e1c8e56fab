import { ApiError } from './errors.js';
import { untilAborted } from './until-aborted.js';

/** The settings of the client credentials grant of OAuth 2 (RFC 6749 4.4). */
export interface ClientCredentials {
  /** `key_id` of the credential. */
  readonly keyId: string;
  /** The token of the credential. */
  readonly token: string;
  /** Scopes of the access token. Defaults to all scopes of the credential. */
  readonly scopes?: readonly string[];
}

/**
 * Returns the token for a request. `refused` is true after an answer 401: a stored token must then not be used again.
 * `signal` is the signal of the request. When it is aborted, a running sign-in ends, unless another request waits for
 * it, too.
 */
export type TokenSource = (refused: boolean, signal?: AbortSignal) => string | Promise<string>;

/** A way to sign in. It gets the address of the service, and a function that sends requests. */
export type SignIn = (baseUrl: string, send: (request: Request) => Promise<Response>) => TokenSource;

/** An access token is replaced this many seconds before it expires. */
const MARGIN_SECONDS = 30;

interface AccessToken {
  readonly text: string;
  readonly endsAt: number;
}

/** One request for an access token. All requests that need the token share it. */
class Attempt {
  readonly #stop = new AbortController();
  readonly #token: Promise<AccessToken>;
  #waiting = 0;

  constructor(request: (signal: AbortSignal) => Promise<AccessToken>) {
    this.#token = request(this.#stop.signal);
  }

  /** True when every request that waited for the token was aborted. */
  get isAborted(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Waits for the token until `signal` is aborted. The attempt ends when no request waits for it any more. */
  async wait(signal: AbortSignal | undefined): Promise<AccessToken> {
    this.#waiting += 1;
    try {
      return await untilAborted(this.#token, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && signal?.aborted) this.#stop.abort(signal.reason);
    }
  }
}

/**
 * Signs in with access tokens. A client requests a token when it needs one. All its requests share the token until
 * shortly before it expires.
 */
export const clientCredentials =
  ({ keyId, token, scopes }: ClientCredentials): SignIn =>
  (baseUrl, send) => {
    let current: Attempt | undefined;
    const request = async (signal: AbortSignal): Promise<AccessToken> => {
      const startedAt = performance.now();
      const headers = { Authorization: `Basic ${btoa(`${keyId}:${token}`)}` };
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scopes && { scope: scopes.join(' ') }),
      });
      const response = await send(new Request(`${baseUrl}/oauth/token`, { method: 'POST', headers, body, signal }));
      const answer = (await response.json().catch(() => undefined)) as { access_token: string; expires_in: number };
      if (!response.ok) throw new ApiError(response, answer);
      return { text: answer.access_token, endsAt: startedAt + (answer.expires_in - MARGIN_SECONDS) * 1_000 };
    };
    return async (refused, signal) => {
      const seen = current;
      const known = refused ? undefined : await seen?.wait(signal).catch(() => undefined);
      signal?.throwIfAborted();
      if (known && known.endsAt > performance.now()) return known.text;
      // Another call may have begun a new request during the wait. This call then uses the result of that request.
      if (current === seen || !current || current.isAborted) current = new Attempt(request);
      return (await current.wait(signal)).text;
    };
  };
