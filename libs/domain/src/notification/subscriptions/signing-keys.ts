import { createSigningKey } from '@ats/webhook-signing';
import { runStatement, type Transaction } from '@ats/postgres';
import { keyReaderOf } from '../../objects/notification-endpoint.model.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { type SealedColumn } from '../../writing/sealed-column.js';
import { type SecretBox } from '../../writing/secret-box.js';

/**
 * The keys of a subscription or endpoint at a given time, as text. Source: docs/reference/signing.md, "Key rotation".
 */
export interface SigningKeys {
  /** The key for the signature in `x-service-notify-signature`. */
  readonly current: string;
  /** The key that replaces the current one at `fromDt`. Null while no rotation is in progress. */
  readonly next: { readonly key: string; readonly fromDt: Date } | null;
}

/** Names the owner of signing keys: a shared endpoint, or the only subscription of an own endpoint. */
export interface KeyOwner {
  readonly type: 'endpoint' | 'subscription';
  readonly id: number;
}

/** An encrypted key as it is stored. */
export interface SealedKey {
  readonly sealed_key: Buffer;
  readonly active_from_dt: Date;
  readonly expires_dt: Date | null;
  /**
   * The context with which the key was encrypted. It names the owner of the key, so that a key that is copied to
   * another owner cannot be decrypted.
   */
  readonly context: string;
}

/** The purpose of the key that encrypts signing keys. That key is derived from `SECRET_KEY`. */
export const SIGNING_KEY_PURPOSE = 'notification-signing-keys';

/**
 * SQL for the current time, truncated to milliseconds. A time that is rounded up would lie in the future, and the
 * transaction would not find the key that it has just created. `now()` would be the start of the transaction, which may
 * have waited for another rotation after its start.
 */
export const KEY_TIME = `date_trunc('milliseconds', clock_timestamp())`;

const KEY_TABLES: Readonly<Record<KeyOwner['type'], { readonly table: string; readonly column: string }>> = {
  endpoint: { table: 'notification_endpoint_keys', column: 'endpoint_id' },
  subscription: { table: 'notification_subscription_keys', column: 'subscription_id' },
};

const contextOf = ({ type, id }: KeyOwner): string => `${type}:${id}`;

const sealedColumnOf = (type: KeyOwner['type']): SealedColumn => {
  const { table, column: owner } = KEY_TABLES[type];
  return {
    table,
    column: 'sealed_key',
    purpose: SIGNING_KEY_PURPOSE,
    primaryKey: { id: 'bigint' },
    owner,
    contextOf: (row) => contextOf({ type, id: Number(row[owner]) }),
  };
};

export const SIGNING_KEY_COLUMN: SealedColumn = sealedColumnOf('subscription');
export const ENDPOINT_KEY_COLUMN: SealedColumn = sealedColumnOf('endpoint');

/**
 * SQL for the keys of the endpoint `e`, as rows of {@link SealedKey} with an `id`. The keys of an own endpoint belong
 * to its subscription, because the previous release reads them there.
 */
export const KEYS_OF_ENDPOINT = `(
  SELECT 'subscription:' || subscription_id AS context, id, sealed_key, active_from_dt, expires_dt
  FROM notification_subscription_keys WHERE subscription_id = e.own_subscription_id
  UNION ALL
  SELECT 'endpoint:' || endpoint_id, id, sealed_key, active_from_dt, expires_dt
  FROM notification_endpoint_keys WHERE endpoint_id = e.id)`;

/**
 * Creates and stores the first key of a new owner.
 * @returns the key as text
 */
export async function insertSigningKey(
  transaction: Transaction,
  owner: KeyOwner,
  secretBox: SecretBox,
): Promise<string> {
  const key = createSigningKey();
  const { table, column } = KEY_TABLES[owner.type];
  await runStatement(
    transaction,
    `INSERT INTO ${table} (${column}, sealed_key, active_from_dt) VALUES ($1, $2, ${KEY_TIME})`,
    [owner.id, secretBox.seal(key, contextOf(owner))],
  );
  return key;
}

/**
 * The number of seconds for which the old key stays in use after the start of a rotation. Source:
 * docs/reference/signing.md, "Key rotation".
 */
export const KEY_OVERLAP_SECONDS = { default: 86_400, maximum: 30 * 86_400 } as const;

export interface RotationOptions {
  /** A number of seconds from 0 to the maximum of {@link KEY_OVERLAP_SECONDS}. */
  readonly overlapSeconds: number;
  readonly secretBox: SecretBox;
}

/**
 * Creates a new key, which replaces the current one after `overlapSeconds` (0 means at once). If a rotation is already
 * in progress, its next key is deleted, and the current key signs until the overlap of the new rotation ends. The
 * owner's row must be locked.
 */
export async function replaceKeyOf(
  transaction: Transaction,
  owner: KeyOwner,
  { overlapSeconds, secretBox }: RotationOptions,
): Promise<void> {
  const { table, column } = KEY_TABLES[owner.type];
  const [clock] = await runStatement<{ now: Date }>(transaction, `SELECT ${KEY_TIME} AS now`);
  const now = clock?.now;
  await runStatement(
    transaction,
    `DELETE FROM ${table} WHERE ${column} = $1 AND (expires_dt <= $2 OR active_from_dt > $2)`,
    [owner.id, now],
  );
  await runStatement(
    transaction,
    `UPDATE ${table} SET expires_dt = $2::timestamptz + make_interval(secs => $3) WHERE ${column} = $1`,
    [owner.id, now, overlapSeconds],
  );
  await runStatement(
    transaction,
    `INSERT INTO ${table} (${column}, sealed_key, active_from_dt)
     VALUES ($1, $2, $3::timestamptz + make_interval(secs => $4))`,
    [owner.id, secretBox.seal(createSigningKey(), contextOf(owner)), now, overlapSeconds],
  );
}

/** Moves all keys to another owner. Their texts and times stay the same. The rows of both owners must be locked. */
export async function moveKeys(
  transaction: Transaction,
  { from, to, secretBox }: { readonly from: KeyOwner; readonly to: KeyOwner; readonly secretBox: SecretBox },
): Promise<void> {
  const source = KEY_TABLES[from.type];
  const target = KEY_TABLES[to.type];
  const keys = await runStatement<Omit<SealedKey, 'context'>>(
    transaction,
    `WITH moved AS (DELETE FROM ${source.table} WHERE ${source.column} = $1 RETURNING *)
     SELECT sealed_key, active_from_dt, expires_dt FROM moved ORDER BY active_from_dt, id`,
    [from.id],
  );
  for (const { sealed_key: sealed, active_from_dt: active, expires_dt: expires } of keys)
    await runStatement(
      transaction,
      `INSERT INTO ${target.table} (${target.column}, sealed_key, active_from_dt, expires_dt) VALUES ($1, $2, $3, $4)`,
      [to.id, secretBox.seal(secretBox.open(sealed, contextOf(from)), contextOf(to)), active, expires],
    );
}

/** The signing keys that an endpoint and all its subscriptions use now, and the credential that may read the keys. */
export interface KeyAccess {
  readonly endpointId: number;
  readonly keys: SigningKeys;
  /** The credential that may read the keys. Null when no credential may. */
  readonly readerId: number | null;
  /** True for a shared endpoint. */
  readonly isShared: boolean;
}

const ENDPOINT_OF: Readonly<Record<KeyOwner['type'], string>> = {
  endpoint: '$1',
  subscription: '(SELECT endpoint_id FROM notification_subscriptions WHERE id = $1)',
};

/**
 * Reads the keys of an endpoint, or of the endpoint of a subscription. A single statement reads the keys and their
 * reader, because another transaction may move the keys or the subscription at any time.
 * @throws {NotFoundError} when there is no such endpoint or subscription
 * @throws {Error} when no key is in force
 * @throws {SecretBoxError} when the keys were encrypted with another `SECRET_KEY`
 */
export async function readKeyAccess(
  transaction: Transaction,
  { type, id }: KeyOwner,
  secretBox: SecretBox,
): Promise<KeyAccess> {
  const rows = await runStatement<Omit<KeyAccess, 'keys'> & SealedKey & { readonly now: Date }>(
    transaction,
    `SELECT e.id AS "endpointId", ${keyReaderOf('e')} AS "readerId", e.own_subscription_id IS NULL AS "isShared",
       clock_timestamp() AS now, k.context, k.sealed_key, k.active_from_dt, k.expires_dt
     FROM notification_endpoints e LEFT JOIN LATERAL ${KEYS_OF_ENDPOINT} k ON true
     WHERE e.id = ${ENDPOINT_OF[type]} ORDER BY k.active_from_dt, k.id`,
    [id],
  );
  const [first] = rows;
  if (!first) throw new NotFoundError(`notification_${type}`, id);
  const { endpointId, readerId, isShared, now } = first;
  // For an endpoint without keys, the query returns one row whose key is null.
  const keys = rows.filter((row) => (row.sealed_key as Buffer | null) !== null);
  return { endpointId, readerId, isShared, keys: openSigningKeys(keys, { secretBox, now }) };
}

/** Like {@link readKeyAccess}, but returns only the keys. */
export const readKeysOf = async (...access: Parameters<typeof readKeyAccess>): Promise<SigningKeys> =>
  (await readKeyAccess(...access)).keys;

/**
 * Decrypts the key that is in force at `now`, and the key that replaces it later, if there is one.
 * @throws {Error} when no key is in force
 * @throws {SecretBoxError} when the keys were encrypted with another `SECRET_KEY`
 */
export function openSigningKeys(
  rows: readonly SealedKey[],
  { secretBox, now }: { readonly secretBox: SecretBox; readonly now: Date },
): SigningKeys {
  const open = (row: SealedKey): string => secretBox.open(row.sealed_key, row.context);
  const current = rows.find((row) => row.active_from_dt <= now && (row.expires_dt === null || row.expires_dt > now));
  if (!current) throw new Error('an endpoint or subscription has no signing key that is valid now');
  const next = rows.find((row) => row.active_from_dt > now);
  return { current: open(current), next: next ? { key: open(next), fromDt: next.active_from_dt } : null };
}
