import {
  addCommunication,
  type AskedCommunication,
  checkCommunication,
  communications,
  type CommunicationType,
  filledMessage,
  literalMessage,
  type MessageContent,
  type MessageTemplate,
  type MessageTexts,
  readMergeValues,
  readTemplate,
  type Recipient,
  renderMessage,
  runIn,
  templateDatapaths,
  ValidationError,
  type Violation,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type Work } from '../collections/unit-of-work.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';
import { type CommunicationBody } from './communication.dto.js';

/** A template and the recipient to fill it in for. */
interface Merge {
  readonly template: MessageTemplate;
  readonly recipient: Recipient;
  /** Type of the message. */
  readonly type: CommunicationType;
  /** Pointer for violations of the filled-in text. Defaults to the pointer of its property, `/subject` or `/body`. */
  readonly path?: string;
}

@Injectable()
export class CommunicationsService {
  /**
   * Creates a communication.
   * @returns its id, and the user id of the candidate
   * @throws {NotFoundError} when the collection has no such application
   * @throws {ValidationError} with all violations of the body, the template and the recipient
   * @throws {Problem} 403 when the template reads a resource that the credential may not read
   */
  async create(
    work: Work,
    asked: AskedCommunication,
  ): Promise<{ readonly id: number; readonly people: readonly number[] }> {
    const { recipient, type, direction, to, template, violations } = await checkCommunication(work.transaction, asked);
    refuse(violations);
    const { template_id: templateId } = asked.body as CommunicationBody;
    const message = template
      ? await filledIn(work, asked, { template, recipient, type, path: '/template_id' })
      : literalMessage(textsOf(asked.body as CommunicationBody));
    const id = await addCommunication(work.transaction, {
      type,
      direction,
      subject: message.subject.trim() === '' ? null : message.subject,
      body: message.body,
      to,
      applicationId: asked.applicationId,
      userId: recipient.userId,
      authorId: work.recruiterId,
      templateId: templateId ?? null,
    });
    return { id, people: [recipient.userId] };
  }

  /**
   * Fills in a message without storing it. Throws the errors of `create`, and a ValidationError for invalid
   * placeholders in the body. Never reports that the candidate has no e-mail address or telephone number, because a
   * credential with `communications:write` alone must not learn this.
   */
  async preview(
    work: Work,
    asked: AskedCommunication,
  ): Promise<MessageContent & { readonly people: readonly number[] }> {
    const { recipient, type, template, violations } = await checkCommunication(work.transaction, asked);
    const written =
      template || asked.violations.length > 0
        ? undefined
        : await readTemplate(runIn(work.transaction), textsOf(asked.body as CommunicationBody));
    refuse([...violations, ...(written && 'violations' in written ? written.violations : [])]);
    const read = template ?? (written && 'violations' in written ? undefined : written);
    if (!read) throw new Error('the body of a communication passed validation without a template_id or a text');
    const message = await filledIn(work, asked, {
      template: read,
      recipient,
      type,
      ...(template && { path: '/template_id' }),
    });
    return { ...message, people: [recipient.userId] };
  }
}

const textsOf = ({ subject = '', body = '' }: CommunicationBody): MessageTexts => ({ subject, body });

function refuse(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new ValidationError(communications.name, violations);
}

/**
 * Fills in a template. The credential needs the scopes of the template's datapaths, because another client may have
 * written the template.
 * Source: docs/reference/communications.md, "Scopes".
 */
async function filledIn(
  { transaction, scopes, settings }: Work,
  { resource, applicationId }: AskedCommunication,
  { template, recipient, type, path }: Merge,
): Promise<MessageContent> {
  checkDatapathScopes(scopes, resource.type.name, templateDatapaths(template), resource.leadsTo);
  const values = await readMergeValues(runIn(transaction), applicationId, template.columns, {
    ...settings,
    language: recipient.language,
  });
  if (!values) throw new Error('an application was deleted while this transaction held its lock');
  const rendered = renderMessage(template, values);
  const message = 'violation' in rendered ? rendered : filledMessage(rendered, type);
  if ('violation' in message)
    throw new ValidationError(communications.name, [
      { path: path ?? `/${message.property}`, code: 'invalid', info: message.violation },
    ]);
  return message;
}
