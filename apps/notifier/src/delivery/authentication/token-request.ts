import { type DestinationGuard } from '@ats/destination-guard';
import { type OAuthClient } from '@ats/domain';
import {
  allowInsecureRequests,
  type AuthorizationServer,
  clientCredentialsGrantRequest,
  ClientSecretBasic,
  customFetch,
  processClientCredentialsResponse,
} from 'oauth4webapi';
import { type AttemptError } from '../http/attempt-outcome.js';
import { DestinationClient } from '../http/destination-client.js';

/**
 * Time limits of a token request. They are shorter than the limits of a message, so that a token request and a message
 * fit into one lease.
 */
const LIMITS = { headersTimeoutMs: 5_000, bodyTimeoutMs: 2_000, totalTimeoutMs: 5_000 };

/** Calls token endpoints with the same checks as destinations. */
export class TokenClient extends DestinationClient {
  constructor(guard: DestinationGuard) {
    super(guard, LIMITS);
  }
}

export interface AccessToken {
  readonly token: string;
  /** Seconds for which the server says that it accepts the token. Null when it does not say. */
  readonly expiresIn: number | null;
}

/** The reason why there is no token. */
export interface TokenFailure {
  readonly error: AttemptError;
  /** True for an error inside the notifier. Such an attempt does not count as a failure of the destination. */
  readonly isOwnError: boolean;
}

/** The failure when the token endpoint does not answer, or answers that it is unavailable at the moment. */
const UNAVAILABLE: TokenFailure = { error: 'token_unavailable', isOwnError: false };
const REFUSED: TokenFailure = { error: 'token_refused', isOwnError: false };
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Matches a token that fits into a header: visible ASCII characters, at most 8 KiB. */
const TOKEN = /^[!-~]{1,8192}$/;

/**
 * Requests an access token with client credentials (RFC 6749, section 4.4). The request passes the same checks as a
 * message: only public addresses, no redirects, limits of time and size. It never rejects. Errors contain neither the
 * secret nor the answer, so that these never appear in logs.
 */
export async function requestToken(
  http: Pick<DestinationClient, 'post'>,
  { token_url: url, client_id, client_secret: secret, scope }: OAuthClient,
): Promise<AccessToken | TokenFailure> {
  let failure: TokenFailure | undefined;
  const server: AuthorizationServer = { issuer: url, token_endpoint: url };
  const client = { client_id };
  try {
    const response = await clientCredentialsGrantRequest(
      server,
      client,
      ClientSecretBasic(secret),
      scope === null ? {} : { scope },
      {
        // The OAuth library must accept URLs without TLS, because the guard of destinations decides whether a URL is
        // allowed.
        [allowInsecureRequests]: true,
        [customFetch]: async (_, { headers, body }) => {
          const { answer, error, isOwnError } = await http.post({ url, headers, body: String(body) });
          if (!answer) failure = isOwnError && error ? { error, isOwnError } : failureOf(error);
          else if (answer.statusCode >= 500 || UNAVAILABLE_STATUSES.has(answer.statusCode)) failure = UNAVAILABLE;
          if (!answer || failure) throw new Error('the authorisation server did not answer the token request');
          return new Response(answer.excerpt, { status: answer.statusCode, headers: answer.headers });
        },
      },
    );
    const granted = await processClientCredentialsResponse(server, client, response);
    const { access_token: token, token_type: type, expires_in: expiresIn = null } = granted;
    return type === 'bearer' && TOKEN.test(token) ? { token, expiresIn } : REFUSED;
  } catch {
    return failure ?? REFUSED;
  }
}

/**
 * Returns the failure for an error of the request. A URL that the guard does not allow gives `token_refused`, because
 * no retry can succeed.
 */
const failureOf = (error: AttemptError | null): TokenFailure => (error === 'blocked' ? REFUSED : UNAVAILABLE);
