import { runStatement, type Transaction } from '@ats/postgres';
import { notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { KEY_TIME } from './signing-keys.js';

/** `subject` keeps the order of the messages about one subject, `strict` that of all messages of a subscription. */
export const ORDERINGS = ['subject', 'none', 'strict'] as const;
export type Ordering = (typeof ORDERINGS)[number];

/** At most `limit` attempts in any `per_s` seconds. */
export interface Throttle {
  readonly limit: number;
  readonly per_s: number;
}

/** How notifiers send the messages of an endpoint. Source: docs/reference/notifications.md, "Delivery modes". */
export interface DeliveryModes {
  readonly ordering: Ordering;
  readonly throttle: Throttle | null;
}

/**
 * Reads the modes of an endpoint.
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function readDeliveryModes(transaction: Transaction, endpointId: number): Promise<DeliveryModes> {
  const [row] = await runStatement<{ ordering: Ordering; limit: number | null; per_s: number | null }>(
    transaction,
    `SELECT ordering, throttle_limit AS "limit", throttle_per_s AS per_s FROM notification_endpoints WHERE id = $1`,
    [endpointId],
  );
  if (!row) throw new NotFoundError(notificationEndpoints.type.name, endpointId);
  const { ordering, limit, per_s } = row;
  return { ordering, throttle: limit === null || per_s === null ? null : { limit, per_s } };
}

/** Replaces the modes of an endpoint. Nothing changes when the new values equal the old ones. */
export async function replaceDeliveryModes(
  transaction: Transaction,
  endpointId: number,
  { ordering, throttle }: DeliveryModes,
): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE notification_endpoints
     SET ordering = $2, throttle_limit = $3, throttle_per_s = $4, updated_dt = ${KEY_TIME}
     WHERE id = $1 AND (ordering, throttle_limit, throttle_per_s) IS DISTINCT FROM ($2, $3::integer, $4::integer)`,
    [endpointId, ordering, throttle?.limit ?? null, throttle?.per_s ?? null],
  );
}
