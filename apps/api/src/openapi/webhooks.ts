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

/**
 * Returns one request for each event type, which the service sends to destinations. Only the first one lists the
 * headers, which all messages have. At each type, they would take 12 kB.
 *
 * The first message with each kind of details has an example. The example of another message follows from its schema:
 * the properties of `message` and the kinds of `details` have examples.
 * @param register  adds the schema to the components
 */
export function webhooksOf(
  baseUrl: string,
  register: (name: string, schema: JsonSchema) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const described = EVENT_TYPES.map((type) => describedMessage(type, baseUrl));
  const firsts = new Map(described.toReversed().map((message) => [message.kind, message]));
  const schemas = described.map(({ type, schema, kind }) => {
    const properties = schema['properties'] as Readonly<Record<string, JsonSchema>>;
    const { example } = firsts.get(kind) ?? {};
    const withExamples = Object.entries(properties).map(([name, property]) => [
      name,
      name === 'type' ? property : { ...property, examples: [example?.[name]] },
    ]);
    return { type, kind, schema: { ...schema, properties: Object.fromEntries(withExamples) as JsonSchema } };
  });
  register(
    'message_subject',
    mostFrequent(schemas.map(({ schema }) => (schema.properties['details'] ?? {}) as JsonSchema)),
  );
  const bodies = new Map(
    schemas.map(({ type, kind, schema }) => {
      const first = firsts.get(kind);
      const registered = register(schemaNameOf(type), schema);
      return [type, { schema: registered, ...(first?.type === type && { example: first.example }) }] as const;
    }),
  );
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
            content: { 'application/json': bodies.get(type) ?? {} },
          },
          responses: { '2XX': { $ref: '#/components/responses/Accepted_message' } },
        },
      },
    ]),
  );
}

const HEADERS_TEXT =
  'Messages of all types have the headers below. A request to an endpoint with `batch` has an array of messages. ' +
  '`GET /event_types` has an example of each type.';

interface DescribedMessage {
  readonly type: EventType;
  readonly schema: JsonSchema;
  readonly example: JsonSchema;
  /** The schema of `details` as a text. */
  readonly kind: string;
}

function describedMessage(type: EventType, baseUrl: string): DescribedMessage {
  const schema = messageSchema(type, baseUrl);
  const { details } = schema['properties'] as JsonSchema;
  return { type, schema, example: exampleMessage(type, baseUrl), kind: JSON.stringify(details) };
}

/** Returns the schema that occurs most often. It gets a short name, because most messages refer to it. */
function mostFrequent(schemas: readonly JsonSchema[]): JsonSchema {
  const texts = schemas.map((schema) => JSON.stringify(schema));
  const countOf = (text: string): number => texts.filter((other) => other === text).length;
  return JSON.parse(texts.reduce((best, text) => (countOf(text) > countOf(best) ? text : best))) as JsonSchema;
}
