import { randomUUID } from 'node:crypto';
import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { type SecretBox } from '../../writing/secret-box.js';

/** The name under which the key for stored answers is derived from `SECRET_KEY`: some of them hold tokens. */
export const ANSWER_PURPOSE = 'idempotent-answers';

const KEPT_HOURS = 24;
/**
 * A claim without an answer this old is free: as a rule it belongs to a process that has died. A request that has it all the same finds
 * out when it wants to commit, and changes nothing.
 */
const CLAIM_SECONDS = 15;
/** Rows past their time that each new claim clears away. */
const CLEARED = 20;

/** What a client got, to be given again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ids of users whom the answer tells of without their addresses; those whose addresses it holds are found in it. */
  readonly people?: readonly number[];
}

export interface IdempotentRequest {
  readonly credentialId: number;
  readonly key: string;
  /** Of method, path and body. */
  readonly digest: Buffer;
}

/** A request that is being carried out now, by whoever holds this. */
export interface IdempotencyClaim {
  readonly request: IdempotentRequest;
  readonly claim: string;
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: IdempotencyClaim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'in_flight' };

const contextOf = ({ credentialId, key }: IdempotentRequest): string => `${credentialId}:${key}`;

/**
 * Takes an `Idempotency-Key` for a request, or says what became of the first request that had it. The same answer is
 * kept for 24 h per credential. Source: CONTRACT.md 1 and 11.
 */
export async function claimIdempotencyKey(
  database: Database,
  request: IdempotentRequest,
  secretBox: SecretBox,
): Promise<ClaimResult> {
  const claim = randomUUID();
  const [row] = await database.query<{ claim: string; request_digest: Buffer; sealed_answer: Buffer | null }>(
    `WITH cleared AS (
       DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency_keys
         WHERE created_dt < now() - make_interval(hours => $5) AND NOT (credential_id = $1 AND key = $2) LIMIT ${CLEARED}))
     )
     INSERT INTO idempotency_keys AS k (credential_id, key, request_digest, claim) VALUES ($1, $2, $3, $4)
     ON CONFLICT (credential_id, key) DO UPDATE SET
       request_digest = CASE WHEN ${IS_OVER} THEN excluded.request_digest ELSE k.request_digest END,
       claim = CASE WHEN ${IS_OVER} THEN excluded.claim ELSE k.claim END,
       sealed_answer = CASE WHEN ${IS_OVER} THEN NULL ELSE k.sealed_answer END,
       people = CASE WHEN ${IS_OVER} THEN '{}' ELSE k.people END,
       created_dt = CASE WHEN ${IS_OVER} THEN now() ELSE k.created_dt END
     RETURNING claim, request_digest, sealed_answer`,
    [request.credentialId, request.key, request.digest, claim, KEPT_HOURS, CLAIM_SECONDS],
  );
  if (!row) throw new Error('an upsert returned no row');
  if (row.claim === claim) return { kind: 'claimed', claim: { request, claim } };
  if (!row.request_digest.equals(request.digest)) return { kind: 'mismatch' };
  if (!row.sealed_answer) return { kind: 'in_flight' };
  return {
    kind: 'answered',
    answer: JSON.parse(secretBox.open(row.sealed_answer, contextOf(request))) as StoredAnswer,
  };
}

/** Whether a POST of the credential has an `Idempotency-Key`, or had it in the time that answers are kept: no other request may. CONTRACT.md 11 */
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

/** @param hours,seconds  placeholders of how long answers are kept, and claims without one */
const isOver = (hours: string, seconds: string): string => `(k.created_dt < now() - make_interval(hours => ${hours})
  OR k.sealed_answer IS NULL AND k.created_dt < now() - make_interval(secs => ${seconds}))`;

const IS_OVER = isOver('$5', '$6');

/**
 * Keeps the answer, in the transaction of what it answers: either both are there or neither.
 * @returns false when the claim has been taken over by another request; then the transaction must not be committed
 */
export async function keepAnswer(
  transaction: Transaction,
  { request, claim }: IdempotencyClaim,
  { people: told = [], ...answer }: StoredAnswer,
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
      [...new Set([...told, ...people])],
    ],
  );
  return kept.length > 0;
}

/** Gives the key back after a request that has changed nothing: the next one with it starts afresh. */
export async function releaseIdempotencyKey(database: Database, { request, claim }: IdempotencyClaim): Promise<void> {
  await database.query(
    'DELETE FROM idempotency_keys WHERE credential_id = $1 AND key = $2 AND claim = $3 AND sealed_answer IS NULL',
    [request.credentialId, request.key, claim],
  );
}
