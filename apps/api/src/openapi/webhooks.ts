import { EVENT_TYPES, eventTypeText, exampleMessage, type JsonSchema, messageSchema } from '@ats/domain';

const header = (
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
): readonly [string, JsonSchema] => [
  name.replace('X-Service-', ''),
  { name, in: 'header', required: true, description, schema },
];

const count = (minimum: number): JsonSchema => ({ type: 'integer', minimum });

/**
 * The headers of messages that receivers use, as components by name.
 * Source: docs/reference/notifications.md, "Messages".
 */
export const MESSAGE_HEADERS: Readonly<Record<string, JsonSchema>> = Object.fromEntries([
  header('X-Service-Notify-Type', 'The event type; `PING` for a test message.'),
  header('X-Service-Notify-Signature', '`<timestamp>,<signature>`: the HMAC-SHA-256 of `<timestamp>.<body>`.'),
  header('X-Service-Notify-Attempt', 'Number of the attempt, from 1.', count(1)),
  header(
    'X-Service-Notify-Sequence',
    'Number of the message within its subscription, from 1; 0 for a test message.',
    count(0),
  ),
  header('Webhook-Id', 'The `message_id`, the same in all attempts (Standard Webhooks).'),
  header('Webhook-Timestamp', 'Time of the attempt in Unix seconds (Standard Webhooks).'),
  header('Webhook-Signature', 'One or two signatures, `v1,<base64>` (Standard Webhooks).'),
]);

/** The answers of destinations, as components by name. */
export const MESSAGE_RESPONSES: Readonly<Record<string, JsonSchema>> = {
  Accepted_message: {
    description:
      'The destination accepts the message. After 410, the service disables the subscription. After any other answer, it ' +
      'sends the message again later.',
  },
};

/** Returns the name of the schema of an event type's messages. */
const schemaNameOf = (type: string): string => `${type.toLowerCase()}_message`;

/**
 * Returns one request for each event type, which the service sends to destinations. The first message with each kind of
 * details has an example. The other examples are in the answer of `GET /event_types`.
 * @param register  adds the schema to the components
 */
export function webhooksOf(
  baseUrl: string,
  register: (name: string, schema: JsonSchema) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const kinds = new Set<string>();
  const bodyOf = (type: (typeof EVENT_TYPES)[number]): JsonSchema => {
    const schema = messageSchema(type, baseUrl);
    const kind = JSON.stringify((schema['properties'] as JsonSchema)['details']);
    const example = kinds.has(kind) ? undefined : exampleMessage(type, baseUrl);
    kinds.add(kind);
    return { schema: register(schemaNameOf(type), schema), ...(example && { example }) };
  };
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `webhooks.${type.toLowerCase()}`,
          summary: `Message of the type ${type}`,
          description: String(eventTypeText(type)),
          tags: ['notification_deliveries'],
          security: [],
          parameters: Object.keys(MESSAGE_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: { required: true, content: { 'application/json': bodyOf(type) } },
          responses: { '2XX': { $ref: '#/components/responses/Accepted_message' } },
        },
      },
    ]),
  );
}
