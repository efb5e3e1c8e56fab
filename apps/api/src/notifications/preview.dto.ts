import {
  type EventType,
  integerSchema,
  MAX_PREVIEWED_EVENTS,
  notificationTopics,
  type WriteBody,
  writeSchema,
} from '@ats/domain';
import { z } from 'zod';
import { objectPreviewShape, type PreviewedExpression } from '../collections/object-previews.js';

const shape = writeSchema(notificationTopics.type).shape as Readonly<Record<string, z.ZodType>>;
const DEFAULT_LIMIT = 100;

/** The body of `POST /notification_topics/preview`. It has the properties `type` and `expression` of a topic. */
export const previewSchema = z.strictObject({
  type: shape['type'] ?? z.never(),
  expression: shape['expression'] ?? z.never(),
  limit: integerSchema(1, MAX_PREVIEWED_EVENTS)
    .nullish()
    .describe(`Maximum number of events to evaluate, newest first. Defaults to ${DEFAULT_LIMIT}.`),
}) as z.ZodType<WriteBody>;

export interface PreviewBody {
  readonly type: EventType;
  readonly expression: string | null;
  readonly limit: number;
}

/** Adds the defaults to a valid body. */
export function toPreviewBody(body: WriteBody): PreviewBody {
  const { type, expression, limit } = body as Partial<PreviewBody> & Pick<PreviewBody, 'type'>;
  return { type, expression: expression ?? null, limit: limit ?? DEFAULT_LIMIT };
}

/** The body of `POST /notification_topics/objects/preview`. */
export const topicObjectsSchema = z.strictObject({
  type: shape['type'] ?? z.never(),
  ...objectPreviewShape,
}) as z.ZodType<PreviewedExpression & { readonly type: EventType }>;
