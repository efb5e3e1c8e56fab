import { createSigningKey } from '@ats/webhook-signing';
import { runStatement, type Transaction } from '@ats/postgres';
import { type SealedColumn } from '../../writing/sealed-column.js';
import { type SecretBox } from '../../writing/secret-box.js';

/** The keys of a subscription at one time, as text. Source: docs/reference/signing.md, "Key rotation". */
export interface SigningKeys {
  /** The key for the signature in `x-service-notify-signature`. */
  readonly current: string;
  /** The key that replaces the current one at `fromDt`; null when no rotation is in progress. */
  readonly next: { readonly key: string; readonly fromDt: Date } | null;
}

/** An encrypted key as it is stored. {@link openSigningKeys} decrypts it. */
export interface SealedKey {
  readonly sealed_key: Buffer;
  readonly active_from_dt: Date;
  readonly expires_dt: Date | null;
}

/** The purpose for which the encryption key of signing keys is derived from `SECRET_KEY`. */
export const SIGNING_KEY_PURPOSE = 'notification-signing-keys';

/**
 * SQL for the current time, truncated to milliseconds. If the time were rounded up, a transaction would not yet see the
 * key that it has just created. `now()`, the start of the transaction, is not used, because the transaction may have
 * waited for another rotation since then.
 */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

const contextOf = (subscriptionId: unknown): string => `subscription:${String(subscriptionId)}`;

export const SIGNING_KEY_COLUMN: SealedColumn = {
  table: 'notification_subscription_keys',
  column: 'sealed_key',
  purpose: SIGNING_KEY_PURPOSE,
  primaryKey: { id: 'bigint' },
  owner: 'subscription_id',
  contextOf: (row) => contextOf(row['subscription_id']),
};

/** Creates and stores the first key of a new subscription. @returns the key as text */
export async function insertSigningKey(
  transaction: Transaction,
  subscriptionId: number,
  secretBox: SecretBox,
): Promise<string> {
  const key = createSigningKey();
  await runStatement(
    transaction,
    `INSERT INTO notification_subscription_keys (subscription_id, sealed_key, active_from_dt) VALUES ($1, $2, ${NOW})`,
    [subscriptionId, secretBox.seal(key, contextOf(subscriptionId))],
  );
  return key;
}

/** Seconds for which the old key stays in use after a rotation. Source: docs/reference/signing.md, "Key rotation". */
export const KEY_OVERLAP_SECONDS = { default: 86_400, maximum: 30 * 86_400 } as const;

/**
 * Gives a subscription a new key, which replaces the current key after `overlapSeconds` (0 means immediately). An
 * unfinished rotation is replaced: its new key is dropped, and the current key signs until the new overlap ends. The
 * subscription's row must be locked.
 */
export async function rotateSigningKey(
  transaction: Transaction,
  subscriptionId: number,
  { overlapSeconds, secretBox }: { readonly overlapSeconds: number; readonly secretBox: SecretBox },
): Promise<void> {
  const key = createSigningKey();
  const [clock] = await runStatement<{ now: Date }>(transaction, `SELECT ${NOW} AS now`);
  const now = clock?.now;
  await runStatement(
    transaction,
    `DELETE FROM notification_subscription_keys
     WHERE subscription_id = $1 AND (expires_dt <= $2 OR active_from_dt > $2)`,
    [subscriptionId, now],
  );
  await runStatement(
    transaction,
    `UPDATE notification_subscription_keys SET expires_dt = $2::timestamptz + make_interval(secs => $3)
     WHERE subscription_id = $1`,
    [subscriptionId, now, overlapSeconds],
  );
  await runStatement(
    transaction,
    `INSERT INTO notification_subscription_keys (subscription_id, sealed_key, active_from_dt)
     VALUES ($1, $2, $3::timestamptz + make_interval(secs => $4))`,
    [subscriptionId, secretBox.seal(key, contextOf(subscriptionId)), now, overlapSeconds],
  );
  await runStatement(transaction, `UPDATE notification_subscriptions SET updated_dt = ${NOW} WHERE id = $1`, [
    subscriptionId,
  ]);
}

/**
 * Reads the keys of a subscription that are in use now.
 * @throws {Error} when the subscription has no key
 * @throws {SecretBoxError} when the keys were encrypted with another `SECRET_KEY`
 */
export async function readSigningKeys(
  transaction: Transaction,
  subscriptionId: number,
  secretBox: SecretBox,
): Promise<SigningKeys> {
  const rows = await runStatement<SealedKey & { now: Date }>(
    transaction,
    `SELECT sealed_key, active_from_dt, expires_dt, clock_timestamp() AS now
     FROM notification_subscription_keys WHERE subscription_id = $1 ORDER BY active_from_dt, id`,
    [subscriptionId],
  );
  return openSigningKeys(rows, { subscriptionId, secretBox, now: rows[0]?.now ?? new Date() });
}

/**
 * Decrypts the key that is in force at `now`, and the key that replaces it later, if any.
 * @throws {Error} when no key is in force
 * @throws {SecretBoxError} when the keys were encrypted with another `SECRET_KEY`
 */
export function openSigningKeys(
  rows: readonly SealedKey[],
  {
    subscriptionId,
    secretBox,
    now,
  }: { readonly subscriptionId: number; readonly secretBox: SecretBox; readonly now: Date },
): SigningKeys {
  const open = (row: SealedKey): string => secretBox.open(row.sealed_key, contextOf(subscriptionId));
  const current = rows.find((row) => row.active_from_dt <= now && (row.expires_dt === null || row.expires_dt > now));
  if (!current) throw new Error(`the subscription ${subscriptionId} has no signing key`);
  const next = rows.find((row) => row.active_from_dt > now);
  return { current: open(current), next: next ? { key: open(next), fromDt: next.active_from_dt } : null };
}
