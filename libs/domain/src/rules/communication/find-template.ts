import { runStatement, type Transaction } from '@ats/postgres';
import { type CommunicationType } from '../../objects/communication.model.js';
import { type MessageTexts } from './read-template.js';

/** A template as it is stored. */
export interface StoredTemplate extends MessageTexts {
  readonly type: CommunicationType;
}

/** The template with this id as it is now; null when there is none. Nothing holds it: what is made from it may outlive it. */
export async function findTemplate(transaction: Transaction, id: number): Promise<StoredTemplate | null> {
  const [row] = await runStatement<StoredTemplate>(
    transaction,
    'SELECT type, subject, body FROM message_templates WHERE id = $1',
    [id],
  );
  return row ?? null;
}
