import { queueMail } from '@ats/domain';
import { type Database, runStatement } from '@ats/postgres';

export interface MailFixture {
  readonly to?: readonly string[];
  readonly subject?: string;
  readonly body?: string;
  readonly bodyPlain?: string;
  /** Age of the communication. */
  readonly ageHours?: number;
}

/**
 * Adds a communication with a due e-mail in the same way as the API.
 * @returns the id of the communication
 */
export function addMail(
  database: Database,
  {
    to = ['robin@example.com'],
    subject = 'Your application',
    body = '<p>Dear Robin</p>',
    bodyPlain = 'Dear Robin',
    ageHours = 0,
  }: MailFixture = {},
): Promise<number> {
  return database.transaction(async (transaction) => {
    const [row] = await runStatement<{ id: number }>(
      transaction,
      `WITH person AS (
         INSERT INTO users (type, firstname, lastname, email) SELECT 'recruiter', 'Kim', 'Writer',
           gen_random_uuid() || '@example.com' RETURNING id
       )
       INSERT INTO communications (type, status, subject, body, body_plain, to_addresses, user_id, author_id)
       SELECT 'email', 'queued', $1, $2, $3, $4, id, id FROM person RETURNING id`,
      [subject, body, bodyPlain, to],
    );
    if (!row) throw new Error('the INSERT of a test e-mail returned no row');
    await queueMail(transaction, row.id);
    await runStatement(
      transaction,
      `UPDATE outgoing_mails SET next_attempt_dt = next_attempt_dt - $2 * interval '1 hour'
         WHERE communication_id = $1`,
      [row.id, ageHours],
    );
    return row.id;
  });
}

/** Adds several e-mails one after the other. */
export async function addMails(database: Database, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await addMail(database);
}

export interface MailRow {
  readonly id: number;
  readonly communication_id: number;
  readonly message_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly requeues: number;
  readonly last_error: string | null;
  readonly finished_dt: Date | null;
  /** Milliseconds from now to the next attempt. */
  readonly wait_ms: number;
  /** The status of the communication to which the e-mail belongs. */
  readonly said: string;
  readonly failed_reason: string | null;
  readonly sent_dt: Date | null;
}

export const readMails = (database: Database): Promise<MailRow[]> =>
  database.query(`SELECT m.*, c.status AS said, c.failed_reason, c.sent_dt, (extract(epoch
     FROM m.next_attempt_dt - clock_timestamp()) * 1000)::double precision AS wait_ms
                  FROM outgoing_mails m JOIN communications c ON c.id = m.communication_id ORDER BY m.id`);
