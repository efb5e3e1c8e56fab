import { createSigningKey } from '@ats/webhook-signing';
import { runStatement, type Transaction } from '@ats/postgres';
import { type SecretBox } from '../../writing/secret-box.js';

/** The keys of a subscription at one moment, as text. Source: CONTRACT.md 8. */
export interface SigningKeys {
  /** Signs `x-service-notify-signature`. */
  readonly current: string;
  /** During a rotation: the key that takes over at `fromDt`. */
  readonly next: { readonly key: string; readonly fromDt: Date } | null;
}

/** A key as it is stored; read together with a delivery, opened with {@link openSigningKeys}. */
export interface SealedKey {
  readonly sealed_key: Buffer;
  readonly active_from_dt: Date;
  readonly expires_dt: Date | null;
}

/** The name under which keys of signatures are derived from `SECRET_KEY`. */
export const SIGNING_KEY_PURPOSE = 'notification-signing-keys';

/**
 * Cut, not rounded, to milliseconds: a key that begins in the future cannot be read in the transaction that makes it. Not the
 * start of the transaction: one that had to wait for another rotation must not set the clock back.
 */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

const contextOf = (subscriptionId: number): string => `subscription:${subscriptionId}`;

/** Makes and stores the first key of a new subscription. @returns the key as text */
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

/** How long both keys may sign. Source: CONTRACT.md 8, `rotate_key`. */
export const KEY_OVERLAP_SECONDS = { default: 86_400, maximum: 30 * 86_400 } as const;

/**
 * Gives a subscription a new key, which takes over after `overlapSeconds` (0: at once). A rotation under way is replaced:
 * the key that signs now goes on until the new overlap ends. The subscription's row must be locked.
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
    'DELETE FROM notification_subscription_keys WHERE subscription_id = $1 AND (expires_dt <= $2 OR active_from_dt > $2)',
    [subscriptionId, now],
  );
  await runStatement(
    transaction,
    'UPDATE notification_subscription_keys SET expires_dt = $2::timestamptz + make_interval(secs => $3) WHERE subscription_id = $1',
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
 * The keys that are shown to the client and that sign at `now`.
 * @throws {Error} when the subscription has no key, {@link SecretBoxError} when `SECRET_KEY` is not the one they were sealed with
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

/** Opens stored keys: the one in force at `now`, and the one that waits for its turn. */
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
  if (!current) throw new Error('a subscription without a signing key');
  const next = rows.find((row) => row.active_from_dt > now);
  return { current: open(current), next: next ? { key: open(next), fromDt: next.active_from_dt } : null };
}
