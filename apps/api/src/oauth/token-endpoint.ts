import { Injectable } from '@nestjs/common';
import OAuth2Server from '@node-oauth/oauth2-server';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from '../request/access-tokens.js';
import { Authentication, type RequestingClient } from '../request/authentication.js';
import { type KnownCredential } from '../request/credential-store.js';
import { allows, isScope } from '../vocabulary/scopes.js';
import { oauthProblem } from './oauth-errors.js';
import { GRANT_TYPE } from './token-request.dto.js';

const { OAuthError, Request, Response } = OAuth2Server;

/** The properties that one function of the OAuth model adds to a client for the next function. */
interface TokenClient extends OAuth2Server.Client {
  readonly credential: KnownCredential;
}

const credentialOf = (client: OAuth2Server.Client): KnownCredential => (client as TokenClient).credential;

/**
 * Issues access tokens for the client credentials grant. `@node-oauth/oauth2-server` reads the request and writes the
 * answer. This class rejects what the library accepts against RFC 6749: repeated parameters, and two ways of
 * authentication at once. It also decodes the names in Basic authentication (RFC 6749 2.3.1).
 * Source: docs/reference/authentication.md, "OAuth 2"; RFC 6749 4.4.
 */
@Injectable()
export class TokenEndpoint {
  constructor(
    private readonly authentication: Authentication,
    private readonly accessTokens: AccessTokens,
  ) {}

  /**
   * Answers a token request.
   * @returns the body of the answer
   * @throws {Problem} with `error`, see `oauthProblem`; 429 above a limit
   */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<object> {
    const parameters = parametersOf(request.body);
    if (!parameters || authenticatesTwice(request, parameters)) throw oauthProblem('invalid_request', request);
    let isAuthenticated = false;
    const authenticate = async (client: RequestingClient | null): Promise<void> => {
      isAuthenticated = true;
      const refusal = await this.authentication.authenticateClient(request, reply, client);
      if (refusal) throw refusal;
    };
    const model = {
      getClient: async (id: string, secret: string) => {
        await authenticate(request.headers.authorization === undefined ? { id, secret } : decoded({ id, secret }));
        const { credential } = request;
        return credential && { id, grants: [GRANT_TYPE], credential };
      },
      getUserFromClient: (client: OAuth2Server.Client) => Promise.resolve({ id: credentialOf(client).user_id }),
      validateScope: (_user: unknown, client: OAuth2Server.Client, scope?: string[]) =>
        Promise.resolve(grantedScopes(credentialOf(client), scope)),
      saveToken: async (token: OAuth2Server.Token, client: OAuth2Server.Client, user: OAuth2Server.User) => {
        const { key_id, expires_dt } = credentialOf(client);
        const { token: accessToken, expiresDt } = await this.accessTokens.issue(key_id, token.scope ?? [], expires_dt);
        return { ...token, accessToken, accessTokenExpiresAt: expiresDt, client, user };
      },
      getAccessToken: () => Promise.resolve(null),
    };
    const response = new Response();
    try {
      const library = new OAuth2Server({ model, accessTokenLifetime: ACCESS_TOKEN_SECONDS });
      const { method, headers } = request;
      await library.token(
        new Request({ method, headers: headers as Record<string, string>, query: {}, body: parameters }),
        response,
      );
      void reply.headers(response.headers ?? {});
      return response.body as object;
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      // The library wraps an error that its model throws, such as the error of an unavailable database. Throws the
      // original error.
      if (error.code >= 500) throw (error as { readonly inner?: Error }).inner ?? error;
      // A request that names no client counts as a failed authentication, and takes as long as any other failure.
      if (error.name === 'invalid_client' && !isAuthenticated) await authenticate(null);
      throw oauthProblem(error.name, request);
    }
  }
}

type Parameters = Readonly<Record<string, string>>;

/** Returns the parameters of a form that are not empty. Null when a parameter is repeated (RFC 6749 3.2). */
function parametersOf(form: unknown): Parameters | null {
  const given = Object.entries((form ?? {}) as Readonly<Record<string, string | readonly string[]>>);
  if (given.some(([, value]) => typeof value !== 'string')) return null;
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Parameters;
}

/** True when a request names a client both in its header and in its body (RFC 6749 2.3). */
const authenticatesTwice = ({ headers }: FastifyRequest, { client_id, client_secret }: Parameters): boolean =>
  headers.authorization !== undefined && (client_id ?? client_secret) !== undefined;

/**
 * Decodes the name and the password of Basic authentication. Null when they are not encoded as RFC 6749 2.3.1 requires.
 */
function decoded({ id, secret }: RequestingClient): RequestingClient | null {
  try {
    return { id: decodeFormValue(id), secret: decodeFormValue(secret) };
  } catch {
    return null;
  }
}

const decodeFormValue = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/**
 * Returns the scopes of the new access token. Null when the credential lacks one of the scopes that the client
 * requests.
 */
function grantedScopes({ scopes }: KnownCredential, requested: readonly string[] = scopes): string[] | null {
  const granted = new Set(scopes);
  return requested.every((scope) => isScope(scope) && allows(granted, scope)) ? [...new Set(requested)] : null;
}
