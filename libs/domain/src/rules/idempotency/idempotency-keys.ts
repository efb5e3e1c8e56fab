import { randomUUID } from 'node:crypto';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { type SealedColumn } from '../../writing/sealed-column.js';
import { type SecretBox } from '../../writing/secret-box.js';

/**
 * The purpose of the key that encrypts stored answers, because answers may contain tokens. The key is derived from
 * `SECRET_KEY`.
 */
export const ANSWER_PURPOSE = 'idempotent-answers';

const KEPT_HOURS = 24;
/**
 * Seconds after which another request may take over a claim without an answer, because the claiming process has
 * probably died. If the first request still runs, `keepAnswer` returns false for it, and it changes nothing.
 */
const CLAIM_SECONDS = 15;
/** Maximum number of expired rows that a new claim deletes. */
const CLEARED = 20;

/** The stored answer, which repeated requests get again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * Ids of further users whose data the answer contains. When a user is anonymised, the stored answers with this user's
   * data are deleted. Users whose URL is in the body need not be listed.
   */
  readonly people?: readonly number[];
}

export interface IdempotentRequest {
  readonly credentialId: number;
  readonly key: string;
  /** Digest of the method, the path and the body. */
  readonly digest: Buffer;
  /** The digest that a former release would have stored for the same request. */
  readonly formerDigest?: Buffer | null;
}

/** Proves that the current request holds the key. */
export interface IdempotencyClaim {
  readonly request: IdempotentRequest;
  readonly claim: string;
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: IdempotencyClaim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'mismatch' }
  /** @property retryAfter  number of seconds after which the client should repeat the request */
  | { readonly kind: 'in_flight'; readonly retryAfter: number };

const contextOf = ({ credentialId, key }: IdempotentRequest): string => `${credentialId}:${key}`;

export const ANSWER_COLUMN: SealedColumn = {
  table: 'idempotency_keys',
  column: 'sealed_answer',
  purpose: ANSWER_PURPOSE,
  primaryKey: { credential_id: 'bigint', key: 'text' },
  contextOf: (row) => `${row['credential_id']}:${row['key']}`,
};

/**
 * Claims an `Idempotency-Key` for a request. If an earlier request has the key, reports what became of that request.
 * Answers are kept for 24 hours for each credential. Source: docs/reference/resources.md, "Idempotency keys".
 */
export async function claimIdempotencyKey(
  database: Database,
  request: IdempotentRequest,
  secretBox: SecretBox,
): Promise<ClaimResult> {
  const claim = randomUUID();
  const [row] = await database.query<{
    claim: string;
    request_digest: Buffer;
    sealed_answer: Buffer | null;
    age: number;
  }>(
    `WITH cleared AS (
       DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency_keys
         WHERE created_dt < now() - make_interval(hours => $5) AND NOT (credential_id = $1 AND key = $2)
         LIMIT ${CLEARED}))
     )
     INSERT INTO idempotency_keys AS k (credential_id, key, request_digest, claim) VALUES ($1, $2, $3, $4)
     ON CONFLICT (credential_id, key) DO UPDATE SET
       request_digest = CASE WHEN ${IS_OVER} THEN excluded.request_digest ELSE k.request_digest END,
       claim = CASE WHEN ${IS_OVER} THEN excluded.claim ELSE k.claim END,
       sealed_answer = CASE WHEN ${IS_OVER} THEN NULL ELSE k.sealed_answer END,
       people = CASE WHEN ${IS_OVER} THEN '{}' ELSE k.people END,
       created_dt = CASE WHEN ${IS_OVER} THEN now() ELSE k.created_dt END
     RETURNING claim, request_digest, sealed_answer, extract(epoch FROM now() - created_dt)::float8 AS age`,
    [request.credentialId, request.key, request.digest, claim, KEPT_HOURS, CLAIM_SECONDS],
  );
  if (!row) throw new Error('INSERT INTO idempotency_keys ON CONFLICT DO UPDATE returned no row');
  if (row.claim === claim) return { kind: 'claimed', claim: { request, claim } };
  const digests = [request.digest, request.formerDigest];
  if (!digests.some((digest) => digest?.equals(row.request_digest))) return { kind: 'mismatch' };
  if (!row.sealed_answer) return { kind: 'in_flight', retryAfter: retryAfter(row.age) };
  return {
    kind: 'answered',
    answer: JSON.parse(secretBox.open(row.sealed_answer, contextOf(request))) as StoredAnswer,
  };
}

/**
 * Returns the number of seconds after which a client should repeat its request, for a claim of the given age in
 * seconds. The first pause is one second, because most requests end within milliseconds. The later pauses grow, so that
 * at the latest the fourth repetition can take over the claim of a process that has died.
 */
const retryAfter = (age: number): number => Math.max(1, Math.ceil(Math.min(3 * age, CLAIM_SECONDS - age)));

/**
 * True when a `POST` of the credential holds the key, or when its answer is still stored. Other requests must not use
 * the key. Source: docs/reference/resources.md, "Idempotency keys".
 */
export async function isIdempotencyKeyTaken(
  database: Database,
  { credentialId, key }: Pick<IdempotentRequest, 'credentialId' | 'key'>,
): Promise<boolean> {
  const taken = await database.query(
    `SELECT FROM idempotency_keys k WHERE credential_id = $1 AND key = $2 AND NOT ${isOver('$3', '$4')}`,
    [credentialId, key, KEPT_HOURS, CLAIM_SECONDS],
  );
  return taken.length > 0;
}

/**
 * SQL condition that is true when the row has expired.
 * @param hours,seconds  placeholders of the lifetimes of answers and of claims without an answer
 */
const isOver = (hours: string, seconds: string): string => `(k.created_dt < now() - make_interval(hours => ${hours})
  OR k.sealed_answer IS NULL AND k.created_dt < now() - make_interval(secs => ${seconds}))`;

const IS_OVER = isOver('$5', '$6');

/**
 * Stores the answer in the transaction of the request's changes, so that either both commit or neither.
 * @returns false when another request has taken over the claim; the transaction must then be rolled back
 */
export async function keepAnswer(
  transaction: Transaction,
  { request, claim }: IdempotencyClaim,
  answer: StoredAnswer,
  secretBox: SecretBox,
): Promise<boolean> {
  const people = [...answer.body.matchAll(/\/(?:candidates|users|recruiters)\/(\d{1,16})\b/g)].map(([, id]) =>
    Number(id),
  );
  const kept = await runStatement(
    transaction,
    `UPDATE idempotency_keys SET sealed_answer = $4, people = $5
     WHERE credential_id = $1 AND key = $2 AND claim = $3 RETURNING claim`,
    [
      request.credentialId,
      request.key,
      claim,
      secretBox.seal(JSON.stringify(answer), contextOf(request)),
      [...new Set([...(answer.people ?? []), ...people])],
    ],
  );
  return kept.length > 0;
}

/** Releases the key after a request that changed nothing. The next request with the same key then runs. */
export async function releaseIdempotencyKey(database: Database, { request, claim }: IdempotencyClaim): Promise<void> {
  await database.query(
    'DELETE FROM idempotency_keys WHERE credential_id = $1 AND key = $2 AND claim = $3 AND sealed_answer IS NULL',
    [request.credentialId, request.key, claim],
  );
}
