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

/** The keys in `sessionStorage`. The browser keeps stored values only for this tab. */
const STORED = 'ats-console-session';
const STORED_ACCESS = 'ats-console-access';

/** The credential, and all scopes of the service. */
interface Access {
  readonly credential: Credentials;
  readonly scopes: readonly Scopes[];
}

/** Dispatches `change` after each sign-in and sign-out. */
export const sessionChanges = new EventTarget();
let client: Client | undefined;
let credential: Credentials | undefined;
let catalogue: readonly Scopes[] = [];
let granted: ReadonlySet<string> = new Set();
let isExpired = false;
let change: Request | undefined;

/**
 * Returns the client of the signed-in credential. Only views call it. After a session has expired, it stays the client
 * of that session, because an edited form stays on the page during the sign-in.
 */
export function api(): Client {
  if (!client) throw new Error('the console has no API client, because nobody is signed in');
  return client;
}

/** Returns the signed-in credential, or undefined. */
export const me = (): Credentials | undefined => credential;

/**
 * Returns the last request of the session that has changed something, or was meant to. Previews and uploads do not
 * count.
 */
export const lastChange = (): Request | undefined => change;

const isChange = ({ method, url, headers }: Request): boolean =>
  !['GET', 'HEAD'].includes(method) &&
  !/\/(oauth\/token|preview)$/.test(url) &&
  /json|^$/.test(headers.get('content-type') ?? '');

/** Returns true when a session ended because the service refused its credential. */
export const hasExpired = (): boolean => isExpired;

/** Returns all scopes of the service. Source: docs/reference/authentication.md, "Scopes". */
export const allScopes = (): readonly Scopes[] => catalogue;

/** Returns true when the credential has this scope, or a scope that includes it. */
export const hasScope = (scope: string): boolean => granted.has(scope);

/** Signs in, and stores the credential for the tab. @throws ApiError for an unknown credential */
export async function signIn(data: SignInData): Promise<void> {
  const next = connect(data);
  const access = await readAccess(next);
  client = next;
  isExpired = false;
  sessionStorage.setItem(STORED, JSON.stringify(data));
  use(access);
}

async function readAccess(using: Client): Promise<Access> {
  const [{ data: found }, { data: scopes }] = await Promise.all([
    credentialsGetMe({ client: using }),
    credentialsListScopes({ client: using }),
  ]);
  return { credential: found, scopes };
}

function use({ credential: found, scopes }: Access): void {
  sessionStorage.setItem(STORED_ACCESS, JSON.stringify({ credential: found, scopes }));
  credential = found;
  catalogue = scopes;
  const own = scopes.filter(({ scope }) => found.scopes.includes(scope));
  granted = new Set(own.flatMap(({ scope, includes }) => [scope, ...includes]));
  changed();
}

/** Returns true when a credential is stored for the tab. */
export const isRemembered = (): boolean => sessionStorage.getItem(STORED) !== null;

/**
 * Signs in with the credential that is stored for the tab. Uses the stored scopes at once, so that the view does not
 * wait. Meanwhile, reads the scopes again.
 * @returns false when no credential is stored
 */
export async function resume(): Promise<boolean> {
  const [stored, access] = [sessionStorage.getItem(STORED), sessionStorage.getItem(STORED_ACCESS)];
  if (stored === null) return false;
  const data = JSON.parse(stored) as SignInData;
  if (access === null) {
    await signIn(data);
    return true;
  }
  client = connect(data);
  use(JSON.parse(access) as Access);
  void refresh(client, access);
  return true;
}

/** Reads the scopes again. If this fails, the stored scopes stay in use. A refused credential ends the session. */
async function refresh(using: Client, before: string): Promise<void> {
  const access = await readAccess(using).catch(() => undefined);
  if (access && credential && client === using && !isSame(access, JSON.parse(before) as Access)) use(access);
}

/**
 * Compares the properties of the access that the console shows. Other properties, such as the time of last use, change
 * with each request.
 */
const isSame = (one: Access, other: Access): boolean => shownOf(one) === shownOf(other);
const shownOf = ({ credential: { id, name, scopes: own }, scopes }: Access): string =>
  JSON.stringify([id, name, own, scopes]);

/** Deletes the stored credential. */
export function signOut(expired = false): void {
  sessionStorage.removeItem(STORED);
  sessionStorage.removeItem(STORED_ACCESS);
  if (!expired) client = undefined;
  change = undefined;
  credential = undefined;
  granted = new Set();
  isExpired = expired;
  changed();
}

function connect({ token, keyId }: SignInData): Client {
  const own: Client = createClient({
    baseUrl: SERVICE_URL,
    retries: 2,
    maxWaitSeconds: 5,
    ...(keyId === undefined ? { token } : { signIn: clientCredentials({ keyId, token }) }),
    fetch: async (request) => {
      request.headers.set('Accept-Language', language());
      if (isChange(request)) change = request.clone();
      const response = await fetch(request, { credentials: 'omit' });
      // Ends the session when the service refuses the credential, because it was revoked or has expired. With OAuth 2,
      // a refused access token does not count: the client then requests a new one.
      const isFinal = keyId === undefined || request.url.endsWith('/oauth/token');
      // An answer to the client of an earlier session does not end the present session.
      if (response.status === 401 && credential && client === own && isFinal) signOut(true);
      return response;
    },
  });
  return own;
}

const changed = (): boolean => sessionChanges.dispatchEvent(new Event('change'));
