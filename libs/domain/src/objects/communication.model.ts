import { oneLine } from '@ats/mail-merge';
import { message, packed } from '@ats/message';
import { datetime, richText, text, textList } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { joined, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { filledText } from '../vocabulary/value-schema.js';
import { eventsOf } from '../vocabulary/event-declaration.js';

export const COMMUNICATION_TYPES = ['email', 'sms', 'note'] as const;
export type CommunicationType = (typeof COMMUNICATION_TYPES)[number];

/**
 * The types of messages that the service can send. A type is missing here as long as the service has no gateway for it.
 */
export const SENDABLE_TYPES: ReadonlySet<CommunicationType> = new Set(['email']);

export const DIRECTIONS = ['outbound', 'inbound'] as const;
export type Direction = (typeof DIRECTIONS)[number];
export const COMMUNICATION_STATUSES = ['queued', 'sent', 'failed'] as const;

/**
 * Maximum length of a subject, from a client or from a filled-in template. It is the maximum length of a line in an
 * e-mail. Source: RFC 5322, 2.1.1.
 */
export const MAX_SUBJECT = 998;

/** The schema of a subject from a client. It must be a single line. */
export const subjectSchema = filledText(MAX_SUBJECT).refine((text) => oneLine(text) === text, {
  error: packed(message`expected one line: a subject cannot contain line breaks or control characters`),
});

/** The reasons why a communication could not be sent: stable codes, each with its meaning. */
export const FAILED_REASONS = {
  rejected: 'the mail server refused the message permanently',
  exhausted: 'every attempt to send the message failed',
  expired: 'the message could not be sent in time',
  anonymised: 'the candidate was anonymised before the message was sent',
} as const;
export type FailedReason = keyof typeof FAILED_REASONS;

/** A message to or from a candidate, or a note about a candidate. Source: docs/reference/communications.md. */
export const communication = objectType({
  name: 'communication',
  table: 'communications',
  searchText: 'search_text',
  label: 'subject',
  privateColumns: { template_id: { type: 'bigint' } },
  scopes: ['communications'],
  errorCodes: {
    anonymised: 'the candidate is anonymised and gets no messages',
    channel_unavailable: 'the service has no gateway for messages of this type, such as `sms`',
    no_address: 'the candidate has no e-mail address or telephone number for messages of this type',
  },
  properties: {
    ...identity(urlIn('communications')),
    type: text({ shown: true, values: COMMUNICATION_TYPES }),
    direction: text({
      shown: true,
      values: DIRECTIONS,
      description: '`inbound`: the candidate sent the message, and the service only stores it.',
    }),
    status: text({
      shown: true,
      values: COMMUNICATION_STATUSES,
      description: 'A message that waits to be sent is `queued`. Notes and inbound messages are `sent` at once.',
    }),
    subject: text({ shown: true, nullable: true, personal: true }),
    body: richText({ shown: true, personal: true }),
    to: textList({
      shown: true,
      personal: true,
      identifying: true,
      hasEmails: true,
      column: 'to_addresses',
      description:
        'The e-mail addresses or telephone numbers of the candidate at the time of writing. Empty for notes and ' +
        'inbound messages.',
    }),
    application: toOne('application', {
      shows: ['id', 'url'],
      nullable: true,
      description: 'The application of the communication; null after that application is deleted.',
    }),
    candidate: toOne('candidate', { column: 'user_id', shows: ['id', 'url'] }),
    user: toOne('recruiter', {
      column: 'author_id',
      shows: ['id', 'url'],
      description: 'The recruiter who wrote the message.',
    }),
    // The join finds out whether the template still exists, because `template_id` keeps its value when the template is
    // deleted.
    template: joined('message_template', {
      key: 'template_id',
      shows: ['id', 'url'],
      nullable: true,
      description: 'The template of the message; null after its deletion, which does not change `updated_dt`.',
    }),
    sent_dt: datetime({ shown: true, nullable: true }),
    failed_reason: text({
      shown: true,
      nullable: true,
      values: Object.keys(FAILED_REASONS) as [FailedReason, ...FailedReason[]],
      description: `The reason why the message was not sent. ${Object.entries(FAILED_REASONS)
        .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
        .join('; ')}.`,
    }),
  },
});

export const communications = resource({
  name: 'communications',
  type: communication,
  describe: {
    group: 'Recruitment',
    title: 'Communications',
    text: `E-mails, text messages and notes to and from candidates, each with its delivery status. Create
a communication with \`POST …/comms\` of its application. Communications cannot be changed later. The service sends
e-mails itself. Without a configured mail server, e-mails stay \`queued\` for 72 hours and then become \`failed\`.
The service has no SMS gateway: it stores text messages from candidates and sends none.`,
  },
});

export const communicationEvents = eventsOf('communication', {
  COMMUNICATION_SENT: { on: 'sent', text: message`A message to a candidate was sent.` },
  COMMUNICATION_FAILED: { on: 'failed', text: message`A message to a candidate could not be sent.` },
});
