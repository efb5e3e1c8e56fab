import { type Transaction } from '@ats/postgres';
import { type CommunicationType } from '../../objects/communication.model.js';
import { messageTemplates } from '../../objects/message-template.model.js';
import { rowsOf } from '../../reading/rows-of.js';
import { type MessageTexts } from './read-template.js';

/** A template as it is stored. */
export interface StoredTemplate extends MessageTexts {
  readonly type: CommunicationType;
}

/**
 * Finds a template by its id, without a lock.
 * @returns null when there is none
 */
export const findTemplate = (transaction: Transaction, id: number): Promise<StoredTemplate | null> =>
  rowsOf<StoredTemplate & { id: number }>(transaction, messageTemplates.type).findOne({
    select: { type: true, subject: true, body: true },
    where: { id },
  });
