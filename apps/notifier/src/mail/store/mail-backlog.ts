import { type Database } from '@ats/postgres';
import { OPERATOR_ERRORS } from '../smtp/mail-outcome.js';

export interface MailBacklog {
  /** Age of the oldest due e-mail in seconds; 0 when there is none. */
  readonly oldestDueAge: number;
  /** True when e-mails wait because of an error that only an operator can repair. */
  readonly isRefused: boolean;
}

/** Number of due e-mails whose last error is read. When a server refuses all e-mails, these soon show its error. */
const CHECKED_MAILS = 1_000;

/** SQL for the backlog. It uses the partial index of due e-mails. */
const BACKLOG = `
SELECT
  COALESCE((SELECT GREATEST(0, extract(epoch FROM clock_timestamp() - next_attempt_dt))
    FROM outgoing_mails WHERE status = 'due' ORDER BY next_attempt_dt, id LIMIT 1),
      0)::double precision AS "oldestDueAge",
  EXISTS (SELECT FROM (SELECT last_error FROM outgoing_mails WHERE status = 'due' ORDER BY next_attempt_dt, id
    LIMIT ${CHECKED_MAILS}) m
    WHERE split_part(m.last_error, ' ', 1) = ANY($1)) AS "isRefused"`;

export async function readMailBacklog(database: Database): Promise<MailBacklog> {
  const [row] = await database.counting.query<MailBacklog>({ text: BACKLOG, parameters: [OPERATOR_ERRORS] });
  if (!row) throw new Error('the query that counts waiting e-mails returned no row');
  return row;
}
