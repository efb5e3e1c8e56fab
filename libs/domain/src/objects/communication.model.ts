import { oneLine } from '@ats/mail-merge';
import { message, packed } from '@ats/message';
import { datetime, richText, text, textList } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { joined, toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { filledText } from '../vocabulary/value-schema.js';

export const COMMUNICATION_TYPES = ['email', 'sms', 'note'] as const;
export type CommunicationType = (typeof COMMUNICATION_TYPES)[number];

export const DIRECTIONS = ['outbound', 'inbound'] as const;
export type Direction = (typeof DIRECTIONS)[number];
export const COMMUNICATION_STATUSES = ['queued', 'sent', 'failed'] as const;

/** The greatest length of a subject, given or rendered: that of a line of an e-mail. Source: RFC 5322, 2.1.1. */
export const MAX_SUBJECT = 998;

/** What a client may send as a subject: one line. */
export const subjectSchema = filledText(MAX_SUBJECT).refine((text) => oneLine(text) === text, {
  error: packed(message`expected one line: line breaks and control characters are not for a subject`),
});

/** Why a message was given up. */
export const FAILED_REASONS = {
  rejected: 'the mail server refused it for good',
  exhausted: 'every attempt to send it has failed',
  expired: 'it could not be sent in time',
  anonymised: 'the candidate was anonymised before it left',
} as const;
export type FailedReason = keyof typeof FAILED_REASONS;

/** One message to a candidate, or from one, or a note about one. Source: CONTRACT.md 5, `communications`. */
export const communication = objectType({
  name: 'communication',
  table: 'communications',
  searchText: 'search_text',
  label: 'subject',
  privateColumns: { template_id: { type: 'bigint' } },
  scopes: ['communications'],
  errorCodes: {
    anonymised: 'the candidate is anonymised and gets no messages',
    no_address: 'the candidate has no address that a message of this type could go to',
  },
  properties: {
    ...identity(urlIn('communications')),
    type: text({ shown: true, values: COMMUNICATION_TYPES }),
    direction: text({
      shown: true,
      values: DIRECTIONS,
      description: '`inbound`: it came from the candidate and is kept here, nothing is sent.',
    }),
    status: text({
      shown: true,
      values: COMMUNICATION_STATUSES,
      description: 'What waits to be sent is `queued`; notes, and what came in, are `sent` at once.',
    }),
    subject: text({ shown: true, nullable: true, personal: true }),
    body: richText({ shown: true, personal: true }),
    to: textList({
      shown: true,
      personal: true,
      identifying: true,
      column: 'to_addresses',
      description:
        'Addresses or numbers, as the candidate had them when it was written; none of a note or of what came in.',
    }),
    application: toOne('application', {
      shows: ['id', 'url'],
      nullable: true,
      description: 'What it is about; null once that application is deleted.',
    }),
    candidate: toOne('candidate', { column: 'user_id', shows: ['id', 'url'] }),
    user: toOne('recruiter', { column: 'author_id', shows: ['id', 'url'], description: 'The recruiter who wrote it.' }),
    // By its row: the key outlives the template.
    template: joined('message_template', {
      key: 'template_id',
      shows: ['id', 'url'],
      nullable: true,
      description: 'What it was made from; null once that template is deleted, which does not touch `updated_dt`.',
    }),
    sent_dt: datetime({ shown: true, nullable: true }),
    failed_reason: text({
      shown: true,
      nullable: true,
      values: Object.keys(FAILED_REASONS) as [FailedReason, ...FailedReason[]],
      description: `Why it was given up. ${Object.entries(FAILED_REASONS)
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
them below the application that they belong to. They cannot be changed later. The service sends e-mails itself.
Without a configured mail server they stay \`queued\` and can still be read here.`,
  },
});
