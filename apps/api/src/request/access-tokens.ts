import { createHash, createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { type DerivedKeys, KeyRing, type KeySettings } from '@ats/domain';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** Maximum lifetime of an access token in seconds. */
export const ACCESS_TOKEN_SECONDS = 3_600;

const PURPOSE = 'oauth-access-tokens';
const ALGORITHM = 'HS256';
/** Distinguishes access tokens from other JWTs (RFC 9068). */
const TYPE = 'at+jwt';
/** Matches three base64url parts with dots between them. Tokens of credentials have no dot. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/**
 * Maximum number of verified tokens that a process remembers. Checking a remembered token costs one hash and not a
 * verification of the signature.
 */
const MAX_VERIFIED = 10_000;

/** The rights that an access token names. The credential may have lost some of them since the token was issued. */
export interface AccessGrant {
  /** Public part of the credential's token. */
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly expiresDt: Date;
}

/**
 * Signs and verifies the access tokens of OAuth 2. An access token is a JWT (HS256) that names a credential. It proves
 * only that the client once had the credential's token, so the caller must look up the credential for each request.
 * Every process with the same `SECRET_KEY` and `PUBLIC_BASE_URL` accepts it.
 * Source: docs/reference/authentication.md, "OAuth 2"; RFC 7519 (JWT).
 */
export class AccessTokens {
  readonly #current: { readonly id: string; readonly key: KeyObject };
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #verified = new LRUCache<string, AccessGrant>({ max: MAX_VERIFIED });

  /**
   * @param keys    the settings of the process, or its key ring: the current key signs, and all keys verify
   * @param issuer  the public base URL, which is also the audience
   * @param now     milliseconds since 1970
   */
  constructor(
    keys: KeyRing | KeySettings,
    private readonly issuer: string,
    private readonly now: () => number = Date.now,
  ) {
    const { current, all }: DerivedKeys = (keys instanceof KeyRing ? keys : new KeyRing(keys)).derive(PURPOSE);
    this.#keys = new Map(all.map(({ id, key }) => [id, createSecretKey(key)]));
    this.#current = { id: current.id, key: createSecretKey(current.key) };
  }

  /**
   * Issues an access token.
   * @param until  expiry of the credential, which the token does not outlive
   * @returns the token, and its expiry in whole seconds
   */
  async issue(
    keyId: string,
    scopes: readonly string[],
    until: Date | null,
  ): Promise<{ token: string; expiresDt: Date }> {
    const issuedAt = Math.floor(this.now() / 1_000);
    const credentialEnd = until === null ? Infinity : Math.floor(until.getTime() / 1_000);
    const expiresAt = Math.min(issuedAt + ACCESS_TOKEN_SECONDS, credentialEnd);
    const token = await new SignJWT({ client_id: keyId, scope: scopes.join(' ') })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: this.#current.id })
      .setIssuer(this.issuer)
      .setAudience(this.issuer)
      .setSubject(keyId)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(this.#current.key);
    return { token, expiresDt: new Date(expiresAt * 1_000) };
  }

  /**
   * Returns the rights of an access token. Returns null when the text is no access token, is expired, or was not signed
   * with a key of the process.
   */
  async verify(text: string): Promise<AccessGrant | null> {
    if (!FORM.test(text)) return null;
    const digest = createHash('sha256').update(text).digest('base64');
    const grant = this.#verified.get(digest) ?? (await this.#grantOf(text));
    if (!grant || grant.expiresDt.getTime() <= this.now()) return null;
    this.#verified.set(digest, grant);
    return grant;
  }

  async #grantOf(text: string): Promise<AccessGrant | null> {
    try {
      const { payload } = await jwtVerify(text, ({ kid }) => this.#keyOf(kid), {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: this.issuer,
        audience: this.issuer,
        requiredClaims: ['sub', 'iat', 'exp'],
        currentDate: new Date(this.now()),
      });
      const { sub: keyId, exp, scope } = payload;
      if (keyId === undefined || exp === undefined || typeof scope !== 'string') return null;
      return { keyId, scopes: scope.split(' '), expiresDt: new Date(exp * 1_000) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  #keyOf(id: string | undefined): KeyObject {
    const key = this.#keys.get(id ?? '');
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}
