import { htmlText, oneLine, renderTemplate, urlPart } from '@ats/mail-merge';
import { type Message, message } from '@ats/message';
import { readRichText, type RichText, RichTextError } from '@ats/rich-text';
import { type CommunicationType, MAX_SUBJECT } from '../../objects/communication.model.js';
import { type MergeValue } from './merge-values.js';
import { type MessageTemplate, type MessageTexts } from './read-template.js';

/** A message as it leaves. */
export interface MessageContent {
  /** One line of plain text. */
  readonly subject: string;
  readonly body: RichText;
}

/** What cannot be a message. */
export interface UnfitMessage {
  /** Which of its texts. */
  readonly property: 'subject' | 'body';
  /** For people. */
  readonly fault: Message;
}

/** A message with texts that are taken as they are. */
export const literalMessage = ({ subject, body }: MessageTexts): MessageContent => ({
  subject,
  body: readRichText(body),
});

/**
 * Fills a template in. Each value is escaped for where it goes: into the subject as plain text on one line, into the body as HTML, where a
 * rich text keeps its formatting, into an address of a link percent-encoded. The body is sanitised as a whole at the end, so that
 * no value and no place of one can add what a rich text may not hold.
 * @returns the message, or why it cannot be one
 * Source: CONTRACT.md 5, `message_templates`.
 */
export function renderMessage(
  template: MessageTemplate,
  values: ReadonlyMap<string, MergeValue>,
): MessageContent | UnfitMessage {
  const subject = oneLine(renderTemplate(template.subject, values, ({ plain }) => plain));
  const { length } = [...subject];
  if (length > MAX_SUBJECT)
    return {
      property: 'subject',
      fault: message`the subject once it is filled in: expected at most ${MAX_SUBJECT} characters, found ${length}`,
    };
  const html = renderTemplate(template.body, values, ({ plain, html: rich }, { isInTag }) =>
    isInTag ? urlPart(plain) : (rich ?? htmlText(plain)),
  );
  try {
    return { subject, body: readRichText(html) };
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    return { property: 'body', fault: message`the body once it is filled in: ${error.info}` };
  }
}

/** A message that has been filled in, unless there is nothing to read in it: an e-mail needs a subject, and every message a body. */
export function filledMessage(content: MessageContent, type: CommunicationType): MessageContent | UnfitMessage {
  if (type === 'email' && content.subject.trim() === '')
    return { property: 'subject', fault: message`the subject once it is filled in: expected a text that is not empty` };
  if (content.body.plain.trim() === '')
    return { property: 'body', fault: message`the body once it is filled in: expected a text that is not empty` };
  return content;
}
