import { timingSafeEqual } from 'node:crypto';
import {
  addAuditEntry,
  addressCheck,
  isWorkingSql,
  NO_DIGEST,
  type ParsedToken,
  parseToken,
  setTransactionRequest,
} from '@ats/domain';
import { Database, isUnavailable, prepared, runStatement } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { narrowScopes } from '../vocabulary/scopes.js';
import { type AccessGrant, AccessTokens } from './access-tokens.js';

/** The tables with the rows on which a {@link KnownCredential} depends. */
export const TABLES_OF_CREDENTIALS: readonly string[] = ['credentials', 'users', 'systems'];

export interface KnownCredential {
  readonly id: number;
  readonly key_id: string;
  readonly user_id: number;
  readonly recruiter_id: number;
  /** The scopes of the request: the scopes of the credential, limited to the scopes of the access token. */
  readonly scopes: readonly string[];
  readonly expires_dt: Date | null;
  readonly api_version: string | null;
  /** The credential's language, or the system's default language when it has none. */
  readonly language: string;
  /** The rights of the access token. Absent when the request has the credential's own token. */
  readonly grant?: AccessGrant;
}

/**
 * The content of a well-formed token: the digest of a credential's own token, or the rights of a verified access token.
 */
type PresentedToken = ParsedToken | AccessGrant;

/**
 * Finds credentials by the public parts of tokens (`$1`). A `last_used_dt` that is older than `$2` is stale. When no
 * credential matches, the query returns one row with only the default language, so that every look-up refreshes the
 * language.
 */
const BY_KEY_IDS = prepared(
  `SELECT id, key_id, user_id, recruiter_id, scopes, api_version, token_digest, expires_dt,
     coalesce(language, default_language) AS language, default_language,
     allowed_cidrs, ${isWorkingSql('credentials')} AS is_valid,
     last_used_dt IS NULL AS is_unused, last_used_dt IS NULL OR last_used_dt < now() - $2::interval AS is_stale
   FROM (SELECT default_language FROM systems ORDER BY id LIMIT 1) AS system
     LEFT JOIN credentials ON key_id = ANY ($1)`,
);

/** Minimum time between two updates of `last_used_dt`, so that not every request writes. */
const LAST_USED_RESOLUTION = '1 minute';

/**
 * Time to live of the cache in ms. For this time, a process may accept a credential that another process has revoked.
 */
const KNOWN_MS = 1_000;
const MAX_KNOWN = 1_000;

/**
 * Age in ms from which public requests refresh the system's default language. They thus use a new language within a
 * minute.
 */
const LANGUAGE_MS = 30_000;

/** Time in ms for which look-ups are collected and then sent as one query, during a flood of wrong tokens. */
const SHARED_MS = 100;
const MAX_SEEN = 10_000;

interface SystemRow {
  readonly default_language: string;
}

/** The client that sends a token. */
export interface TokenSender {
  readonly address: string;
  /** The value of `X-Request-Id`, for the audit log. */
  readonly requestId: string;
}

interface FoundCredential extends KnownCredential, SystemRow {
  readonly token_digest: Buffer;
  readonly allowed_cidrs: readonly string[];
  /** Returns true when the credential works at an IP address. Undefined for a credential that works everywhere. */
  worksAt?: ((address: string) => boolean) | undefined;
  readonly is_valid: boolean;
  readonly is_unused: boolean;
  readonly is_stale: boolean;
}

@Injectable()
export class CredentialStore {
  /** The system's default language as of the last look-up. Undefined before the first look-up. */
  systemLanguage: string | undefined;
  #lastLookUp = -Infinity;
  /** Maps the key id of each credential that this process has recently found valid to the credential. */
  readonly #known = new LRUCache<string, FoundCredential>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  /**
   * Maps a key id to the digest of the token that this process has last found valid. The digest authenticates no
   * request. During a flood, a token with this digest is looked up by a query of its own and not by a shared query.
   */
  readonly #seen = new LRUCache<string, Buffer>({ max: MAX_SEEN });
  readonly #shared = new DataLoader((keyIds: readonly string[]) => this.#lookUpAll(keyIds), {
    cache: false,
    batchScheduleFn: (look) => void setTimeout(look, SHARED_MS),
  });

  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
  ) {}

  /**
   * Clears the cache. Call it after each write that may change a row on which a `KnownCredential` depends. These rows
   * are in `TABLES_OF_CREDENTIALS`.
   */
  clear(): void {
    this.#known.clear();
  }

  /**
   * Refreshes `systemLanguage` in the background when the last look-up is too old. Public routes call it, because they
   * look up no credential and must not wait for the database.
   */
  refreshLanguage(): void {
    if (performance.now() - this.#lastLookUp > LANGUAGE_MS) this.#lookUpAll(['']).catch(() => undefined);
  }

  /**
   * Finds the credential of a token or access token.
   * @param isFlooded  true when many wrong tokens arrive. Tokens that this process has not found valid before are then
   *   looked up together, at most ten times a second. The flood costs the database almost nothing, but the first
   *   request with a valid token takes a little longer
   * @returns null when the token is malformed, unknown, wrong, expired, revoked, of an inactive recruiter or not
   *   allowed at the address; the caller does not learn the reason
   */
  async find(
    token: string | null,
    sender: TokenSender,
    { isFlooded = false }: { readonly isFlooded?: boolean } = {},
  ): Promise<KnownCredential | null> {
    const presented = token === null ? null : (parseToken(token) ?? (await this.accessTokens.verify(token)));
    const found = await this.#find(presented, sender, isFlooded);
    return found && presented && isGrant(presented)
      ? { ...found, scopes: narrowScopes(presented.scopes, found.scopes), grant: presented }
      : found;
  }

  async #find(parsed: PresentedToken | null, sender: TokenSender, isFlooded: boolean): Promise<FoundCredential | null> {
    const known = this.#known.get(parsed?.keyId ?? '');
    if (known && parsed && isTokenOf(known, parsed) && !isExpired(known) && isAllowedAt(known, sender)) return known;
    if (isFlooded && !parsed) return null;
    // Looks up malformed tokens, too, so that response times do not reveal why a token is refused. During a flood,
    // malformed tokens are refused without a look-up.
    const row = await this.#lookUp(parsed, isFlooded);
    const matches = isTokenOf(row, parsed);
    if (!row || !parsed || !matches || !row.is_valid) {
      if (matches && parsed) this.#seen.delete(parsed.keyId);
      return null;
    }
    row.worksAt = addressCheck(row.allowed_cidrs);
    this.#known.set(parsed.keyId, row);
    this.#seen.set(parsed.keyId, row.token_digest);
    if (!isAllowedAt(row, sender)) return null;
    if (row.is_stale) await this.#noteUse(row, sender);
    return row;
  }

  /**
   * Updates `last_used_dt`, and audits the first use. Ignores an error of a database that accepts no writes, because the
   * credential is valid.
   */
  async #noteUse(credential: FoundCredential, sender: TokenSender): Promise<void> {
    try {
      if (credential.is_unused) await this.#noteFirstUse(credential, sender);
      else await this.database.query('UPDATE credentials SET last_used_dt = now() WHERE id = $1', [credential.id]);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  async #noteFirstUse({ id, recruiter_id }: FoundCredential, { address, requestId }: TokenSender): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const first = await runStatement(
        transaction,
        'UPDATE credentials SET last_used_dt = now() WHERE id = $1 AND last_used_dt IS NULL RETURNING id',
        [id],
      );
      if (first.length === 0) return;
      const client = { credentialId: id, recruiterId: recruiter_id, address };
      setTransactionRequest(transaction, { requestId, traceparent: null, client });
      await addAuditEntry(transaction, { action: 'credential_first_used', collection: 'credentials', itemIds: [id] });
    });
  }

  #lookUp(parsed: PresentedToken | null, isFlooded: boolean): Promise<FoundCredential | undefined> {
    const keyId = parsed?.keyId ?? '';
    // Treats an access token like a token that this process has found valid before, because its signature proves that
    // its credential was valid.
    const isSeen = timingSafeEqual(this.#seen.get(keyId) ?? NO_DIGEST, digestOf(parsed)) || isGrant(parsed);
    return isFlooded && !isSeen ? this.#shared.load(keyId) : this.#lookUpAll([keyId]).then(([row]) => row);
  }

  async #lookUpAll(keyIds: readonly string[]): Promise<readonly (FoundCredential | undefined)[]> {
    this.#lastLookUp = performance.now();
    // Uses connections that pages do not use, so that slow pages do not delay authentication.
    const { rows } = await this.database.pool.query<FoundCredential | (SystemRow & { readonly key_id: null })>({
      ...BY_KEY_IDS,
      values: [[...new Set(keyIds)], LAST_USED_RESOLUTION],
    });
    if (rows[0]) this.systemLanguage = rows[0].default_language;
    const found = new Map<string | null, FoundCredential>();
    for (const row of rows) if (row.key_id !== null) found.set(row.key_id, row);
    return keyIds.map((keyId) => found.get(keyId));
  }
}

const isGrant = (token: PresentedToken | null): token is AccessGrant => token !== null && 'scopes' in token;

const digestOf = (token: PresentedToken | null): Buffer => (token && !isGrant(token) ? token.digest : NO_DIGEST);

/**
 * True when the token belongs to the credential. An access token names its credential under a signature. Any other
 * token must have the digest of the credential.
 */
const isTokenOf = (row: FoundCredential | undefined, token: PresentedToken | null): boolean =>
  timingSafeEqual(row?.token_digest ?? NO_DIGEST, digestOf(token)) || isGrant(token);

const isExpired = ({ expires_dt }: FoundCredential): boolean =>
  expires_dt !== null && expires_dt.getTime() <= Date.now();

const isAllowedAt = ({ worksAt }: FoundCredential, sender: TokenSender): boolean => worksAt?.(sender.address) ?? true;

const BEARER = /^bearer +([^\s]+)$/i;
const BASIC = /^basic +([A-Za-z0-9+/=_-]+)$/i;

/** Reads the token of an `Authorization` header: Bearer, or Basic with the token as user name and an empty password. */
export function tokenOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const bearer = BEARER.exec(header);
  if (bearer?.[1]) return bearer[1];
  const basic = BASIC.exec(header);
  if (!basic?.[1]) return null;
  const pair = Buffer.from(basic[1], 'base64').toString('utf8');
  return pair.endsWith(':') ? pair.slice(0, -1) : null;
}
