import { runStatement, type Transaction } from '../database/database.js';
import { type CommunicationType } from './communication.model.js';
import { type MessageTexts } from './read-template.js';

/** A template as it is stored. */
export interface StoredTemplate extends MessageTexts {
  readonly type: CommunicationType;
}

/** The template with this id, held until the end of the transaction; null when there is none. */
export async function findTemplate(transaction: Transaction, id: number): Promise<StoredTemplate | null> {
  const [row] = await runStatement<StoredTemplate>(transaction, 'SELECT type, subject, body FROM message_templates WHERE id = $1 FOR KEY SHARE', [id]);
  return row ?? null;
}
