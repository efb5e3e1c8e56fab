import { type Client, clientCredentials, createClient, credentialsGetMe, type Credentials } from '@ats/client';
import { SERVICE_URL } from './base.js';
import { language } from './i18n.js';
import { includesScope } from './scopes.js';

/** What the user typed at the sign-in. With a key id, the console uses access tokens of OAuth 2. */
export interface SignInData {
  readonly token: string;
  readonly keyId?: string;
}

/** Kept by the browser for this tab only, and gone with it. */
const STORED = 'ats-console-session';

/** Dispatches `change` after a sign-in and a sign-out. */
export const sessionChanges = new EventTarget();
let client: Client | undefined;
let credential: Credentials | undefined;
let isExpired = false;

/** The client of the signed-in credential. Views exist only while someone is signed in. */
export function api(): Client {
  if (!client) throw new Error('nobody is signed in');
  return client;
}

/** The signed-in credential, or undefined. */
export const me = (): Credentials | undefined => credential;

/** True when the service refused the credential of a session. */
export const hasExpired = (): boolean => isExpired;

export const hasScope = (scope: string): boolean => includesScope(credential?.scopes ?? [], scope);

/** Signs in, and remembers it for the tab. @throws ApiError for an unknown credential */
export async function signIn(data: SignInData): Promise<void> {
  const next = connect(data);
  const { data: found } = await credentialsGetMe({ client: next });
  client = next;
  credential = found;
  isExpired = false;
  sessionStorage.setItem(STORED, JSON.stringify(data));
  changed();
}

/** Signs in with what the tab remembers. @returns false when it remembers nothing */
export async function resume(): Promise<boolean> {
  const stored = sessionStorage.getItem(STORED);
  if (stored === null) return false;
  await signIn(JSON.parse(stored) as SignInData);
  return true;
}

/** Forgets the credential. */
export function signOut(expired = false): void {
  sessionStorage.removeItem(STORED);
  client = undefined;
  credential = undefined;
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
      // Another credential must be given: this one was revoked or has expired. With OAuth 2, the client first asks for
      // a new access token, so only a refusal of the credential itself counts.
      const isFinal = keyId === undefined || request.url.endsWith('/oauth/token');
      if (response.status === 401 && client && isFinal) signOut(true);
      return response;
    },
  });
}

const changed = (): boolean => sessionChanges.dispatchEvent(new Event('change'));
