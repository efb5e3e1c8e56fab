import { lockApplicant } from '../application/lock-applicant.js';
import { runStatement, type Transaction } from '@ats/postgres';
import { type Language, LANGUAGES } from '../../vocabulary/languages.js';
import { type Resource } from '../../vocabulary/resource.js';
import { defaultLanguage } from '../../reading/default-language.js';
import { type CommunicationType } from '../../objects/communication.model.js';

/** The candidate of an application, who receives or has sent a communication. */
export interface Recipient {
  readonly userId: number;
  readonly isAnonymised: boolean;
  /** The candidate's language. Defaults to the language of the system. */
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
 * Reads the candidate of an application. Locks the application and the candidate until the transaction ends, so that
 * the candidate cannot be anonymised meanwhile.
 * @throws {NotFoundError} when the collection has no such application
 */
export async function lockRecipient(
  transaction: Transaction,
  resource: Resource,
  applicationId: number,
): Promise<Recipient> {
  const { user_id: userId } = await lockApplicant(transaction, resource, applicationId, 'SHARE');
  const [row] = await runStatement<Row>(
    transaction,
    `SELECT status, language, email,
       (SELECT number FROM candidate_phones p WHERE p.user_id = u.id
        ORDER BY p.label = 'mobile' DESC, p.position LIMIT 1) AS phone
     FROM users u WHERE id = $1`,
    [userId],
  );
  if (!row) throw new Error('a candidate was deleted while this transaction held its lock');
  return {
    userId,
    isAnonymised: row.status === 'anonymised',
    language:
      LANGUAGES.includes(row.language as Language) && row.language !== null
        ? row.language
        : await defaultLanguage(transaction),
    addresses: { email: [row.email], sms: row.phone === null ? [] : [row.phone], note: [] },
  };
}
