import { runStatement, type Transaction } from '@ats/postgres';
import { notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { shareEndpoint } from './endpoint-keys.js';
import { KEY_TIME } from './signing-keys.js';

/**
 * The order in which messages are sent. `subject` keeps the order of messages about the same subject. `strict` keeps
 * the order of all messages of a subscription.
 */
export const ORDERINGS = ['subject', 'none', 'strict'] as const;
export type Ordering = (typeof ORDERINGS)[number];

/** Limits the rate of attempts: at most `limit` of them start in any `per_s` seconds. */
export interface Throttle {
  readonly limit: number;
  readonly per_s: number;
}

/**
 * Sends several messages of a subscription in one request: at most `max`. The first message waits up to `wait_ms` for
 * further messages.
 */
export interface Batch {
  readonly max: number;
  readonly wait_ms: number;
}

/** How notifiers send the messages of an endpoint. Source: docs/reference/notifications.md, "Delivery modes". */
export interface DeliveryModes {
  readonly ordering: Ordering;
  readonly throttle: Throttle | null;
  readonly batch: Batch | null;
}

interface ModesRow {
  readonly ordering: Ordering;
  readonly limit: number | null;
  readonly per_s: number | null;
  readonly max: number | null;
  readonly wait_ms: number | null;
}

/**
 * Reads the delivery modes of an endpoint.
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function readDeliveryModes(transaction: Transaction, endpointId: number): Promise<DeliveryModes> {
  const [row] = await runStatement<ModesRow>(
    transaction,
    `SELECT ordering, throttle_limit AS limit, throttle_per_s AS per_s, batch_max AS max, batch_wait_ms AS wait_ms
     FROM notification_endpoints WHERE id = $1`,
    [endpointId],
  );
  if (!row) throw new NotFoundError(notificationEndpoints.type.name, endpointId);
  const { ordering, limit, per_s, max, wait_ms } = row;
  return {
    ordering,
    throttle: limit === null || per_s === null ? null : { limit, per_s },
    batch: max === null || wait_ms === null ? null : { max, wait_ms },
  };
}

/**
 * Replaces the delivery modes of an endpoint. An endpoint with a batch becomes a shared endpoint for good, because
 * notifiers of the previous release would send the messages of an own endpoint one by one. Nothing changes when the new
 * values equal the old ones.
 */
export async function replaceDeliveryModes(
  transaction: Transaction,
  endpointId: number,
  { ordering, throttle, batch }: DeliveryModes,
  secretBox: SecretBox,
): Promise<void> {
  if (batch) await shareEndpoint(transaction, endpointId, secretBox);
  await runStatement(
    transaction,
    `UPDATE notification_endpoints
     SET ordering = $2, throttle_limit = $3, throttle_per_s = $4, batch_max = $5, batch_wait_ms = $6,
       updated_dt = ${KEY_TIME}
     WHERE id = $1 AND (ordering, throttle_limit, throttle_per_s, batch_max, batch_wait_ms)
       IS DISTINCT FROM ($2, $3::integer, $4::integer, $5::integer, $6::integer)`,
    [
      endpointId,
      ordering,
      throttle?.limit ?? null,
      throttle?.per_s ?? null,
      batch?.max ?? null,
      batch?.wait_ms ?? null,
    ],
  );
}
