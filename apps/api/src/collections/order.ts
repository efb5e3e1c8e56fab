import { type WriteBody } from '@ats/domain';
import { type Message, packed } from '@ats/message';
import { type z } from 'zod';
import { whateverElse } from '../request/body.js';

/** Two properties of which the second must not come before the first. */
export interface OrderRule {
  readonly first: string;
  readonly second: string;
  /** What was expected of the second. */
  readonly info: Message;
}

/** A schema that also wants its properties in order, and says so beside all other faults. */
export const inOrder = (schema: z.ZodType<WriteBody>, rules: readonly OrderRule[]): z.ZodType<WriteBody> =>
  rules.reduce(
    (ordered, { first, second, info }) =>
      ordered.refine((body) => !isBefore(body[second], body[first]), {
        ...whateverElse,
        path: [second],
        error: packed(info),
      }),
    schema,
  );

/**
 * Whether one value of a body comes before another: numbers by size, dates and moments by time. False when either is
 * absent, so that only what is given is compared.
 */
function isBefore(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return typeof left === 'string' && typeof right === 'string' && Date.parse(left) < Date.parse(right);
}
