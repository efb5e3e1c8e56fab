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
import { isGiven, whateverElse } from '../request/body.js';

const fields = {
  type: optionalProperty(oneOf(COMMUNICATION_TYPES)).describe('That of the template when left out, else `email`.'),
  direction: optionalProperty(oneOf(DIRECTIONS)).describe(
    '`outbound` when left out; `inbound` keeps what came from the candidate, and sends nothing.',
  ),
  subject: optionalProperty(subjectSchema).describe('Plain text on one line, taken as it is. An e-mail needs one.'),
  body: optionalProperty(filledRichTextSchema).describe('Rich text, taken as it is: placeholders are for templates.'),
  template_id: optionalProperty(idSchema).describe('The template to fill in, instead of `subject` and `body`.'),
};

/** What either way of naming the text needs. */
const withText = <Schema extends z.ZodType<object>>(schema: Schema): Schema =>
  schema
    .refine((body) => has(body, 'template_id') || has(body, 'subject') || !isOfType(body, 'email'), {
      ...whateverElse,
      path: ['subject'],
      error: packed(message`an e-mail needs a subject`),
    })
    .refine((body) => !has(body, 'template_id') || !(has(body, 'subject') || has(body, 'body')), {
      ...whateverElse,
      path: ['template_id'],
      error: packed(message`expected either a template_id or a subject and a body, not both`),
    })
    .refine((body) => has(body, 'template_id') || has(body, 'body'), {
      ...whateverElse,
      path: ['body'],
      error: packed(message`expected a body or a template_id`),
    });

const has = (body: unknown, name: string): boolean => isGiven((body as Readonly<Record<string, unknown>>)[name]);
const isOfType = (body: unknown, type: CommunicationType): boolean =>
  ((body as Readonly<Record<string, unknown>>)['type'] ?? 'email') === type;

/** The body of a new communication. Source: CONTRACT.md 5. */
export const communicationSchema = withText(z.strictObject(fields)).refine(
  (body) => !has(body, 'template_id') || body.direction !== 'inbound',
  {
    ...whateverElse,
    path: ['template_id'],
    error: packed(message`what came from the candidate is not made from a template`),
  },
);

/** The same for a look at it: subject and body may have placeholders. */
export const previewSchema = withText(
  z.strictObject({ type: fields.type, subject: fields.subject, body: fields.body, template_id: fields.template_id }),
);

/** A body of either that has passed. */
export interface CommunicationBody {
  readonly type?: CommunicationType;
  readonly direction?: Direction;
  readonly subject?: string;
  readonly body?: string;
  readonly template_id?: number;
}

/** What a look at a message answers. */
export const PREVIEW_SCHEMA = {
  name: 'communications_previewed',
  schema: {
    type: 'object',
    properties: {
      subject: { type: 'string', description: 'One line of plain text.' },
      body: { type: 'string', description: 'Plain text, with `rich_txt_fmt=html` HTML.' },
    },
    required: ['subject', 'body'],
    additionalProperties: false,
  },
};
