import { type Answer, type Item } from '../support/answer.js';
import { type Api, type RequestOptions } from '../support/api-harness.js';
import { type Factories } from '../support/factories.js';

/** A credential with its token. */
export interface Client {
  readonly id: number;
  readonly key_id: string;
  readonly token: string;
}

/** Creates a credential for a client of the token endpoint. */
export async function newClient(make: Factories, scopes: readonly string[], more: object = {}): Promise<Client> {
  const item: Item = await make.credential({ scopes, ...more });
  return { id: item.id, key_id: String(item['key_id']), token: String(item['token']) };
}

/** Sends a token request. By default, it has no `Authorization` header. */
export const requestToken = (
  api: Api,
  parameters: Readonly<Record<string, string>> | string,
  { headers, ...options }: RequestOptions = {},
): Promise<Answer> =>
  api.request('POST', '/oauth/token', {
    token: null,
    payload: typeof parameters === 'string' ? parameters : new URLSearchParams(parameters).toString(),
    ...options,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

/**
 * Requests an access token.
 * @throws {Error} when the answer has none
 */
export async function accessTokenOf(api: Api, client: Client, scope?: string): Promise<string> {
  const answer = await requestToken(api, {
    grant_type: 'client_credentials',
    client_id: client.key_id,
    client_secret: client.token,
    ...(scope !== undefined && { scope }),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return (answer.json as { readonly access_token: string }).access_token;
}
