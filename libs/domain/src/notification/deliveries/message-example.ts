import { EVENT_ROOTS, type EventType } from '../../objects/event-types.js';
import { type JsonSchema } from '../../vocabulary/settings-property.js';
import { toMessageBody } from './message.js';

/** Maps datapaths to example values of a snapshot. It has all values that messages of any event type need. */
const EXAMPLE_FACTS = {
  'application.app_type': 'vacancy_application',
  'opportunity.kind': 'vacancy',
  'posting.job_board.id': 5,
  'posting.vacancy.id': 12,
  'notification_subscription.topic.id': 31,
  'notification_delivery.topic_id': 31,
  'notification_delivery.subscription.id': 32,
};

const SUBSCRIPTION = {
  id: 21,
  uuid: '0b8e3f0a-7a52-4b53-9d0b-6c1f5e1c2d21',
  topic: { id: 20, uuid: '5f0c1f4e-2b59-4a0e-8f2e-0c8d6d1e3a20' },
};
const MESSAGE_ID = '3d6f0a86-52e1-4c37-8a4e-9b1e7a3c4f01';

/**
 * Makes an example message of an event type, with the code that makes real messages.
 * @param baseUrl  `PUBLIC_BASE_URL` without a trailing slash
 */
export const exampleMessage = (type: EventType, baseUrl: string): JsonSchema =>
  JSON.parse(
    toMessageBody(
      {
        type,
        subjectType: EVENT_ROOTS[type],
        subjectId: 4711,
        recruiterId: 3,
        occurredDt: new Date('2026-11-21T09:00:00.000Z'),
        facts: EXAMPLE_FACTS,
      },
      SUBSCRIPTION,
      { messageId: MESSAGE_ID, baseUrl },
    ),
  ) as JsonSchema;

/** Maps JSON pointers to descriptions of the properties of messages. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '/message_id': 'The same in all attempts to deliver the message.',
  '/timestamp': 'Time of the event.',
  '/user': 'The recruiter who caused the event.',
  '/user/id': 'The id as a text. All other ids are numbers.',
  '/details': 'The subject of the event.',
  '/details/deleted': 'True: the subject was deleted, so its `url` answers with 404.',
  '/details/url': 'URL of the subject. It answers 404 after a deletion.',
};

/**
 * Returns the JSON Schema of the messages of an event type. It is derived from the example message, so that both always
 * agree.
 */
export const messageSchema = (type: EventType, baseUrl: string): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: type,
  ...schemaOf(exampleMessage(type, baseUrl), ''),
});

function schemaOf(value: unknown, pointer: string): JsonSchema {
  const description = DESCRIPTIONS[pointer];
  return { ...(description && { description }), ...typeOf(value, pointer) };
}

function typeOf(value: unknown, pointer: string): JsonSchema {
  if (typeof value === 'object' && value !== null) {
    const properties = Object.entries(value).map(([name, inner]) => [name, schemaOf(inner, `${pointer}/${name}`)]);
    return {
      type: 'object',
      properties: Object.fromEntries(properties) as JsonSchema,
      required: Object.keys(value),
      additionalProperties: false,
    };
  }
  if (typeof value !== 'string') return { type: typeof value === 'number' ? 'integer' : typeof value };
  const name = pointer.split('/').at(-1) ?? '';
  if (pointer === '/type') return { type: 'string', const: value };
  const format = { url: 'uri', uuid: 'uuid', message_id: 'uuid', timestamp: 'date-time' }[name];
  return { type: 'string', ...(format && { format }) };
}
