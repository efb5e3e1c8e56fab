import { runStatement, type Transaction } from '@ats/postgres';
import { type CommunicationType } from '../../objects/communication.model.js';
import { type MessageTexts } from './read-template.js';

/** A template as it is stored. */
export interface StoredTemplate extends MessageTexts {
  readonly type: CommunicationType;
}

/** Finds a template by its id, without locking it. @returns null when there is none */
export async function findTemplate(transaction: Transaction, id: number): Promise<StoredTemplate | null> {
  const [row] = await runStatement<StoredTemplate>(
    transaction,
    'SELECT type, subject, body FROM message_templates WHERE id = $1',
    [id],
  );
  return row ?? null;
}
