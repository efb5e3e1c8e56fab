import {
  COMMUNICATION_TYPES,
  type CommunicationType,
  DIRECTIONS,
  type Direction,
  filledRichTextSchema,
  idSchema,
  oneOf,
  optionalProperty,
  subjectSchema,
} from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { isGiven, evenIfInvalid } from '../request/body.js';

const fields = {
  type: optionalProperty(oneOf(COMMUNICATION_TYPES)).describe(
    'Defaults to the type of the template, or to `email` without a template.',
  ),
  direction: optionalProperty(oneOf(DIRECTIONS)).describe(
    'Defaults to `outbound`. `inbound` stores a message from the candidate and sends nothing.',
  ),
  subject: optionalProperty(subjectSchema).describe(
    'One line of plain text, stored unchanged. Only templates have placeholders. Required for e-mails.',
  ),
  body: optionalProperty(filledRichTextSchema).describe(
    'Rich text, stored unchanged. Only templates have placeholders.',
  ),
  template_id: optionalProperty(idSchema).describe(
    'Id of the template to fill in. Send either `template_id`, or `subject` and `body`, never both.',
  ),
};

/** Requires either a template or texts. */
const withText = <Schema extends z.ZodType<object>>(schema: Schema): Schema =>
  schema
    .refine((body) => has(body, 'template_id') || has(body, 'subject') || !isOfType(body, 'email'), {
      ...evenIfInvalid,
      path: ['subject'],
      error: packed(message`an e-mail needs a subject`),
    })
    .refine((body) => !has(body, 'template_id') || !(has(body, 'subject') || has(body, 'body')), {
      ...evenIfInvalid,
      path: ['template_id'],
      error: packed(message`expected either a template_id or a subject and a body, not both`),
    })
    .refine((body) => has(body, 'template_id') || has(body, 'body'), {
      ...evenIfInvalid,
      path: ['body'],
      error: packed(message`expected a body or a template_id`),
    });

const has = (body: unknown, name: string): boolean => isGiven((body as Readonly<Record<string, unknown>>)[name]);
const isOfType = (body: unknown, type: CommunicationType): boolean =>
  ((body as Readonly<Record<string, unknown>>)['type'] ?? 'email') === type;

/** The body of a new communication. Source: docs/reference/communications.md, "Messages". */
export const communicationSchema = withText(z.strictObject(fields)).refine(
  (body) => !has(body, 'template_id') || body.direction !== 'inbound',
  {
    ...evenIfInvalid,
    path: ['template_id'],
    error: packed(message`an inbound communication cannot use a template`),
  },
);

/** The body of a preview. Here `subject` and `body` may have placeholders. */
export const previewSchema = withText(
  z.strictObject({
    type: fields.type,
    subject: fields.subject.describe('One line of plain text, with placeholders. Required for e-mails.'),
    body: fields.body.describe('Rich text, with placeholders.'),
    template_id: fields.template_id,
  }),
);

/** A valid body of a communication or of its preview. */
export interface CommunicationBody {
  readonly type?: CommunicationType;
  readonly direction?: Direction;
  readonly subject?: string;
  readonly body?: string;
  readonly template_id?: number;
}

export const PREVIEW_SCHEMA = {
  name: 'communications_previewed',
  schema: {
    type: 'object',
    properties: {
      subject: { type: 'string', description: 'One line of plain text.' },
      body: { type: 'string', description: 'Plain text, or HTML with `rich_txt_fmt=html`.' },
    },
    required: ['subject', 'body'],
    additionalProperties: false,
  },
};
