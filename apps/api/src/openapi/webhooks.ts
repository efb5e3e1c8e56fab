import {
  EVENT_TYPES,
  eventTypeText,
  type EventType,
  exampleMessage,
  type JsonSchema,
  messageSchema,
} from '@ats/domain';

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
 * Maps the name of a header of messages, which receivers use, to its component.
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

/** Maps the name of an answer that destinations give to its component. */
export const MESSAGE_RESPONSES: Readonly<Record<string, JsonSchema>> = {
  Accepted_message: {
    description:
      'The destination accepts the message. After 410, the service disables the subscription. After any other answer, it ' +
      'sends the message again later.',
  },
};

/** Returns the name of the schema of an event type's messages. */
const schemaNameOf = (type: string): string => `${type.toLowerCase()}_message`;

/** Returns the name of the schema of some `details`, such as `message_subject_deleted`. Most have only id and URL. */
const subjectNameOf = ({ required }: JsonSchema): string =>
  ['message_subject', ...(required as readonly string[]).slice(2)].join('_');

/**
 * Returns one request for each event type, which the service sends to destinations. Only the first one lists the
 * headers, which all messages have. At each type, they would take 12 kB.
 *
 * Tools derive the example of a message from its schema: each property has an example or is constant. A whole example
 * at each type would take 17 kB.
 * @param register  adds the schema to the components
 */
export function webhooksOf(
  baseUrl: string,
  register: (name: string, schema: JsonSchema) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const schemaOf = (type: EventType): JsonSchema => {
    const { properties, ...schema } = messageSchema(type, baseUrl);
    const example = exampleMessage(type, baseUrl);
    const described = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, property]) => {
      const shown = name === 'details' ? register(subjectNameOf(property), property) : property;
      return [name, name === 'type' ? shown : { ...shown, examples: [example[name]] }];
    });
    return register(schemaNameOf(type), { ...schema, properties: Object.fromEntries(described) as JsonSchema });
  };
  return Object.fromEntries(
    EVENT_TYPES.map((type, place) => [
      type,
      {
        post: {
          operationId: `webhooks.${type.toLowerCase()}`,
          summary: `Message ${type}`,
          description: `${String(eventTypeText(type))}${place === 0 ? ` ${HEADERS_TEXT}` : ''}`,
          tags: ['notification_deliveries'],
          security: [],
          ...(place === 0 && {
            parameters: Object.keys(MESSAGE_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
          }),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(type) } },
          },
          responses: { '2XX': { $ref: '#/components/responses/Accepted_message' } },
        },
      },
    ]),
  );
}

const HEADERS_TEXT =
  'Messages of all types have the headers below. A request to an endpoint with `batch` has an array of messages.';
