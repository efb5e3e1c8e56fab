import { runStatement, type Transaction } from '../database/database.js';
import { type Language, LANGUAGES } from '../localisation/languages.js';
import { type Resource } from '../model/resource.js';
import { defaultLanguage } from '../system/default-language.js';
import { NotFoundError } from '../validation/validation-error.js';
import { lockObject } from '../writing/lock-object.js';
import { users } from '../user/user.model.js';
import { type CommunicationType } from './communication.model.js';

/** The candidate whom a communication about an application is to, or from. */
export interface Recipient {
  readonly userId: number;
  readonly isAnonymised: boolean;
  /** Of the texts that the candidate reads: the candidate's own, else the system's. */
  readonly language: string;
  readonly addresses: Readonly<Record<CommunicationType, readonly string[]>>;
}

interface Row {
  readonly status: string;
  readonly language: string | null;
  readonly email: string;
  readonly phone: string | null;
}

/**
 * The candidate of an application, held with it until the end of the transaction, so that nobody is anonymised in between.
 * @throws {NotFoundError} when the collection has no such application
 */
export async function lockRecipient(transaction: Transaction, resource: Resource, applicationId: number): Promise<Recipient> {
  const [owner] = await runStatement<{ user_id: number }>(transaction, 'SELECT user_id FROM applications WHERE id = $1', [applicationId]);
  if (!owner) throw new NotFoundError(resource.type.name, applicationId);
  // The person before the application, as who anonymises takes them.
  await lockObject(transaction, users, owner.user_id, 'SHARE');
  await lockObject(transaction, resource, applicationId, 'KEY SHARE');
  const [row] = await runStatement<Row>(
    transaction,
    `SELECT status, language, email,
       (SELECT number FROM candidate_phones p WHERE p.user_id = u.id ORDER BY p.label = 'mobile' DESC, p.position LIMIT 1) AS phone
     FROM users u WHERE id = $1`,
    [owner.user_id],
  );
  if (!row) throw new NotFoundError(resource.type.name, applicationId);
  return {
    userId: owner.user_id,
    isAnonymised: row.status === 'anonymised',
    language: LANGUAGES.includes(row.language as Language) && row.language !== null ? row.language : await defaultLanguage(transaction),
    addresses: { email: [row.email], sms: row.phone === null ? [] : [row.phone], note: [] },
  };
}
