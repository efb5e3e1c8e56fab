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

/** Source: CONTRACT.md 8. */
export const redeliverySchema = z.strictObject({
  since_dt: momentSchema.describe('Messages of events from this moment on.'),
  until_dt: momentSchema.nullish().describe('Messages of events before this moment; now when left out.'),
  status: z
    .enum(REDELIVERABLE_STATUSES, {
      error: packed(message`expected one of ${REDELIVERABLE_STATUSES}: what is sending or held goes out by itself`),
    })
    .nullish()
    .describe('Only deliveries with this status.'),
});

/** @throws {ValidationError} with every fault of the body */
export function parseRedelivery(given: unknown): RedeliveryRange {
  const { since_dt, until_dt, status } = parseBody(notificationRedeliveries.name, redeliverySchema, given);
  const range = { sinceDt: new Date(since_dt), untilDt: until_dt ? new Date(until_dt) : null, status: status ?? null };
  if (range.untilDt ? range.untilDt <= range.sinceDt : range.sinceDt > new Date()) {
    const fault = range.untilDt
      ? { path: '/until_dt', info: message`expected a moment after since_dt` }
      : { path: '/since_dt', info: message`expected a moment in the past` };
    throw new ValidationError(notificationRedeliveries.name, [{ ...fault, code: 'invalid' }]);
  }
  return range;
}
