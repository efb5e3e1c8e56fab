import {
  addCommunication,
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
  type ValidationFault,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type Work } from '../collections/unit-of-work.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';
import { type AskedCommunication, checkCommunication } from './check-communication.js';
import { type CommunicationBody } from './communication.dto.js';

/** A template, who it is filled in for, and the property of the body that named it; none when its texts are in the body. */
interface Merge {
  readonly template: MessageTemplate;
  readonly recipient: Recipient;
  /** Of the message. */
  readonly type: CommunicationType;
  readonly path?: string;
}

@Injectable()
export class CommunicationsService {
  /**
   * @returns its id, and whom it is about
   * @throws {NotFoundError} when the collection has no such application
   * @throws {ValidationError} with every fault of the body, and of the candidate as a recipient
   * @throws {Problem} 403 when the template reads what the sender may not
   */
  async create(
    work: Work,
    asked: AskedCommunication,
  ): Promise<{ readonly id: number; readonly people: readonly number[] }> {
    const { recipient, type, direction, to, template, faults } = await checkCommunication(work.transaction, asked);
    refuse(faults);
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
   * What a message would say; nothing is kept. Throws as `create` does, for faults of the placeholders in the body too, but tells nothing of
   * the candidate that the placeholders do not read: who may write may not read addresses, nor whether there is one, without leaving a message.
   */
  async preview(
    work: Work,
    asked: AskedCommunication,
  ): Promise<MessageContent & { readonly people: readonly number[] }> {
    const { recipient, type, template, faults } = await checkCommunication(work.transaction, asked);
    const written =
      template || asked.faults.length > 0
        ? undefined
        : await readTemplate(runIn(work.transaction), textsOf(asked.body as CommunicationBody));
    refuse([...faults, ...(written && 'faults' in written ? written.faults : [])]);
    const read = template ?? (written && 'faults' in written ? undefined : written);
    if (!read) throw new Error('a body that has passed has a text or a template');
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

function refuse(faults: readonly ValidationFault[]): void {
  if (faults.length > 0) throw new ValidationError(communications.name, faults);
}

/** Who sends must be allowed to read what the template reads: it may be somebody else's. CONTRACT.md 2. */
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
  if (!values) throw new Error('an application that is held cannot be gone');
  const rendered = renderMessage(template, values);
  const message = 'fault' in rendered ? rendered : filledMessage(rendered, type);
  if ('fault' in message)
    throw new ValidationError(communications.name, [
      { path: path ?? `/${message.property}`, code: 'invalid', info: message.fault },
    ]);
  return message;
}
