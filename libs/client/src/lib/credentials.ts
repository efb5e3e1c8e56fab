import { ApiError } from './errors.js';

/** The client credentials grant of OAuth 2 (RFC 6749 4.4). */
export interface ClientCredentials {
  /** `key_id` of the credential. */
  readonly keyId: string;
  /** The token of the credential. */
  readonly token: string;
  /** Scopes of the access token. Defaults to all scopes of the credential. */
  readonly scopes?: readonly string[];
}

/** Returns the token of a request. `refused` is true after a 401: a stored token is then of no use. */
export type TokenSource = (refused: boolean) => string | Promise<string>;

/** A way to sign in: it gets the address of the service and a function that sends requests to it. */
export type SignIn = (baseUrl: string, send: (request: Request) => Promise<Response>) => TokenSource;

/** Seconds before its end at which an access token is replaced. */
const MARGIN_SECONDS = 30;

/**
 * Signs in with access tokens. A client gets one when it needs one, and shares it among its requests until shortly before
 * its end.
 */
export const clientCredentials =
  ({ keyId, token, scopes }: ClientCredentials): SignIn =>
  (baseUrl, send) => {
    let current: Promise<{ text: string; endsAt: number }> | undefined;
    const request = async (): Promise<{ text: string; endsAt: number }> => {
      const startedAt = performance.now();
      const headers = { Authorization: `Basic ${btoa(`${keyId}:${token}`)}` };
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scopes && { scope: scopes.join(' ') }),
      });
      const response = await send(new Request(`${baseUrl}/oauth/token`, { method: 'POST', headers, body }));
      const answer = (await response.json().catch(() => undefined)) as { access_token: string; expires_in: number };
      if (!response.ok) throw new ApiError(response, answer);
      return { text: answer.access_token, endsAt: startedAt + (answer.expires_in - MARGIN_SECONDS) * 1_000 };
    };
    return async (refused) => {
      const seen = current;
      const known = refused ? undefined : await seen?.catch(() => undefined);
      if (known && known.endsAt > performance.now()) return known.text;
      // Another call may have begun a request meanwhile.
      if (current === seen || !current) current = request();
      return (await current).text;
    };
  };
