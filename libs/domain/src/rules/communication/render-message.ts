import { htmlText, oneLine, renderTemplate, urlPart } from '@ats/mail-merge';
import { type Message, message } from '@ats/message';
import { readRichText, type RichText, RichTextError } from '@ats/rich-text';
import { type CommunicationType, MAX_SUBJECT } from '../../objects/communication.model.js';
import { type MergeValue } from './merge-values.js';
import { type MessageTemplate, type MessageTexts } from './read-template.js';

/** The final content of a message. */
export interface MessageContent {
  /** One line of plain text. */
  readonly subject: string;
  readonly body: RichText;
}

/** Says which text of a message is invalid after the placeholders are filled in, and why. */
export interface UnfitMessage {
  /** The text that is invalid. */
  readonly property: 'subject' | 'body';
  readonly violation: Message;
}

/** Makes a message from texts that have no placeholders. */
export const literalMessage = ({ subject, body }: MessageTexts): MessageContent => ({
  subject,
  body: readRichText(body),
});

/**
 * Fills a template with values. In the subject, a value becomes plain text on one line. In the body it becomes HTML,
 * and a rich text keeps its formatting. In the URL of a link it is percent-encoded. Finally the whole body is
 * sanitised, so that no value can add HTML that is not allowed in a rich text.
 * @returns the message, or the reason why it is invalid
 * Source: docs/reference/communications.md, "Escaping".
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
      violation: message`the filled-in subject: expected at most ${MAX_SUBJECT} characters, found ${length}`,
    };
  const html = renderTemplate(template.body, values, ({ plain, html: rich }, { isInTag }) =>
    isInTag ? urlPart(plain) : (rich ?? htmlText(plain)),
  );
  try {
    return { subject, body: readRichText(html) };
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    return { property: 'body', violation: message`the filled-in body: ${error.violation.message}` };
  }
}

/** Checks that a filled-in message is not empty. Every message needs a body, and an e-mail also needs a subject. */
export function filledMessage(content: MessageContent, type: CommunicationType): MessageContent | UnfitMessage {
  if (type === 'email' && content.subject.trim() === '')
    return {
      property: 'subject',
      violation: message`the filled-in subject: expected a text that is not empty`,
    };
  if (content.body.plain.trim() === '')
    return { property: 'body', violation: message`the filled-in body: expected a text that is not empty` };
  return content;
}
