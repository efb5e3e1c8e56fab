import { type WriteBody } from '@ats/domain';
import { type Message, packed } from '@ats/message';
import { type z } from 'zod';
import { evenIfInvalid } from '../request/body.js';

/** A rule between two properties: the value of `second` must not be before the value of `first`. */
export interface OrderRule {
  readonly first: string;
  readonly second: string;
  /** Text of the violation. Its path is the property `second`. */
  readonly info: Message;
}

/** Adds order rules to a schema. Their violations are reported together with all other violations. */
export const inOrder = (schema: z.ZodType<WriteBody>, rules: readonly OrderRule[]): z.ZodType<WriteBody> =>
  rules.reduce(
    (ordered, { first, second, info }) =>
      ordered.refine((body) => !isBefore(body[second], body[first]), {
        ...evenIfInvalid,
        path: [second],
        error: packed(info),
      }),
    schema,
  );

/** Compares numbers by size, and dates and timestamps by time. Returns false when a value is absent. */
function isBefore(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return typeof left === 'string' && typeof right === 'string' && Date.parse(left) < Date.parse(right);
}
