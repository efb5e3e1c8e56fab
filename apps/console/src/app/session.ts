import {
  type Client,
  clientCredentials,
  createClient,
  credentialsGetMe,
  credentialsListScopes,
  type Credentials,
  type Scopes,
} from '@ats/client';
import { SERVICE_URL } from './base.js';
import { language } from './i18n.js';

/** The fields of the sign-in form. With a key id, the console uses OAuth 2 access tokens. */
export interface SignInData {
  readonly token: string;
  readonly keyId?: string;
}

/** The key in `sessionStorage`. The browser keeps its value for this tab only. */
const STORED = 'ats-console-session';

/** Dispatches `change` after each sign-in and sign-out. */
export const sessionChanges = new EventTarget();
let client: Client | undefined;
let credential: Credentials | undefined;
let catalogue: readonly Scopes[] = [];
let granted: ReadonlySet<string> = new Set();
let isExpired = false;

/** Returns the client of the signed-in credential. Only views call it, and they exist only during a session. */
export function api(): Client {
  if (!client) throw new Error('the console has no API client, because nobody is signed in');
  return client;
}

/** Returns the signed-in credential, or undefined. */
export const me = (): Credentials | undefined => credential;

/** Returns true when a session ended because the service refused its credential. */
export const hasExpired = (): boolean => isExpired;

/** Returns all scopes of the service. Source: docs/reference/authentication.md, "Scopes". */
export const allScopes = (): readonly Scopes[] => catalogue;

/** Returns true when the credential has this scope, or a scope that includes it. */
export const hasScope = (scope: string): boolean => granted.has(scope);

/** Signs in, and stores the credential for the tab. @throws ApiError for an unknown credential */
export async function signIn(data: SignInData): Promise<void> {
  const next = connect(data);
  const [{ data: found }, { data: scopes }] = await Promise.all([
    credentialsGetMe({ client: next }),
    credentialsListScopes({ client: next }),
  ]);
  client = next;
  credential = found;
  catalogue = scopes;
  const own = scopes.filter(({ scope }) => found.scopes.includes(scope));
  granted = new Set(own.flatMap(({ scope, includes }) => [scope, ...includes]));
  isExpired = false;
  sessionStorage.setItem(STORED, JSON.stringify(data));
  changed();
}

/** Returns true when a credential is stored for the tab. */
export const isRemembered = (): boolean => sessionStorage.getItem(STORED) !== null;

/** Signs in with the credential that is stored for the tab. @returns false when none is stored */
export async function resume(): Promise<boolean> {
  const stored = sessionStorage.getItem(STORED);
  if (stored === null) return false;
  await signIn(JSON.parse(stored) as SignInData);
  return true;
}

/** Deletes the stored credential. */
export function signOut(expired = false): void {
  sessionStorage.removeItem(STORED);
  client = undefined;
  credential = undefined;
  granted = new Set();
  isExpired = expired;
  changed();
}

function connect({ token, keyId }: SignInData): Client {
  return createClient({
    baseUrl: SERVICE_URL,
    retries: 2,
    maxWaitSeconds: 5,
    ...(keyId === undefined ? { token } : { signIn: clientCredentials({ keyId, token }) }),
    fetch: async (request) => {
      request.headers.set('Accept-Language', language());
      const response = await fetch(request, { credentials: 'omit' });
      // Ends the session when the service refuses the credential, because it was revoked or has expired. With OAuth 2,
      // a refused access token does not count: the client then requests a new one.
      const isFinal = keyId === undefined || request.url.endsWith('/oauth/token');
      if (response.status === 401 && client && isFinal) signOut(true);
      return response;
    },
  });
}

const changed = (): boolean => sessionChanges.dispatchEvent(new Event('change'));
