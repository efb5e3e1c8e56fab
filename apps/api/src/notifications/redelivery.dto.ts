import {
  momentSchema,
  notificationRedeliveries,
  REDELIVERABLE_STATUSES,
  type RedeliveryRange,
  ValidationError,
} from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { parseBody } from '../request/body.js';

/** The body of a redelivery. Source: docs/reference/notifications.md, "Redelivery". */
export const redeliverySchema = z.strictObject({
  since_dt: momentSchema.describe('Only messages of events at or after this time.'),
  until_dt: momentSchema.nullish().describe('Only messages of events before this time. Defaults to now.'),
  status: z
    .enum(REDELIVERABLE_STATUSES, {
      error: packed(message`expected one of ${REDELIVERABLE_STATUSES}: other deliveries are sent without a redelivery`),
    })
    .nullish()
    .describe('Only deliveries with this status.'),
});

/** Reads the body of a redelivery. @throws {ValidationError} with all violations of the body */
export function parseRedelivery(given: unknown): RedeliveryRange {
  const { since_dt, until_dt, status } = parseBody(notificationRedeliveries.name, redeliverySchema, given);
  const range = { sinceDt: new Date(since_dt), untilDt: until_dt ? new Date(until_dt) : null, status: status ?? null };
  if (range.untilDt ? range.untilDt <= range.sinceDt : range.sinceDt > new Date()) {
    const violation = range.untilDt
      ? { path: '/until_dt', info: message`expected a timestamp after since_dt` }
      : { path: '/since_dt', info: message`expected a timestamp in the past` };
    throw new ValidationError(notificationRedeliveries.name, [{ ...violation, code: 'invalid' }]);
  }
  return range;
}
