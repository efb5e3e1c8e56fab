import {
  type Batch,
  integerSchema,
  type JsonSchema,
  optionalProperty,
  type Ordering,
  ORDERINGS,
  type Throttle,
} from '@ats/domain';
import { z } from 'zod';
import { strictObject } from '../vocabulary/operation.js';

const MAX_LIMIT = 10_000;
const MAX_PER_S = 3_600;
const MAX_BATCH = 100;
const MAX_WAIT_MS = 5_000;

const ORDERING_TEXT =
  '`subject`: the messages about one subject are sent one after the other. `none`: no order is kept. `strict`: a ' +
  'message of a subscription is sent after the one before was answered with 2xx, or has failed for good.';
const THROTTLE_TEXT =
  'At most `limit` attempts in any `per_s` seconds, over all notifiers. Messages above the limit wait, and waiting ' +
  'counts as no attempt. Test messages are not throttled. Null for no limit.';

const BATCH_TEXT =
  'Sends up to `max` messages of a subscription as one JSON array, with one signature. A message waits up to `wait_ms` ' +
  'for others. The body is an array also for one message. The receiver may refuse a part of a batch by the answer 200 ' +
  'with `{"failed": [message_id, …]}`. Null for one message in each request.';

/** The properties of bodies that describe how the service sends messages. */
export const deliveryModes = {
  ordering: optionalProperty(z.enum(ORDERINGS)).describe(`${ORDERING_TEXT} Defaults to \`subject\`.`),
  throttle: optionalProperty(
    z.strictObject({ limit: integerSchema(1, MAX_LIMIT), per_s: integerSchema(1, MAX_PER_S) }),
  ).describe(THROTTLE_TEXT),
  batch: optionalProperty(
    z.strictObject({ max: integerSchema(1, MAX_BATCH), wait_ms: integerSchema(0, MAX_WAIT_MS) }),
  ).describe(BATCH_TEXT),
};

/** The delivery modes in a valid body. */
export interface WantedModes {
  readonly ordering?: Ordering;
  readonly throttle?: Throttle;
  readonly batch?: Batch;
}

/** The properties of answers that describe how the service sends messages. */
export const DELIVERY_MODES_ANSWER: JsonSchema = {
  ordering: { type: 'string', enum: ORDERINGS, description: ORDERING_TEXT },
  throttle: {
    anyOf: [
      {
        ...strictObject({
          limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
          per_s: { type: 'integer', minimum: 1, maximum: MAX_PER_S },
        }),
      },
      { type: 'null' },
    ],
    description: THROTTLE_TEXT,
  },
  batch: {
    anyOf: [
      {
        ...strictObject({
          max: { type: 'integer', minimum: 1, maximum: MAX_BATCH },
          wait_ms: { type: 'integer', minimum: 0, maximum: MAX_WAIT_MS },
        }),
      },
      { type: 'null' },
    ],
    description: BATCH_TEXT,
  },
};
