import { type RichText } from '@ats/rich-text';
import { type Transaction } from '@ats/postgres';
import { insertObject } from '../../writing/write-object.js';
import { communications, type CommunicationType, type Direction } from '../../objects/communication.model.js';
import { markCommunicationSent } from './communication-status.js';
import { queueMail } from './outgoing-mails.js';

export interface NewCommunication {
  readonly type: CommunicationType;
  readonly direction: Direction;
  readonly subject: string | null;
  readonly body: RichText;
  readonly to: readonly string[];
  readonly applicationId: number;
  /** The candidate of the application. */
  readonly userId: number;
  /** The recruiter who writes the communication. */
  readonly authorId: number;
  readonly templateId: number | null;
}

/**
 * Adds a communication. An e-mail to the candidate is queued for sending. Notes and inbound communications are not
 * sent, so they get the status `sent` at once. `checkCommunication` has refused every other type.
 * @returns the id of the communication
 * Source: docs/reference/communications.md, "Status".
 */
export async function addCommunication(transaction: Transaction, added: NewCommunication): Promise<number> {
  const { type, direction, body } = added;
  const id = await insertObject(
    transaction,
    communications,
    {},
    {
      type,
      direction,
      subject: added.subject,
      body: body.html,
      body_plain: body.plain,
      to_addresses: [...added.to],
      application_id: added.applicationId,
      user_id: added.userId,
      author_id: added.authorId,
      template_id: added.templateId,
    },
  );
  if (type === 'note' || direction === 'inbound') await markCommunicationSent(transaction, id);
  else if (type === 'email') await queueMail(transaction, id);
  return id;
}
