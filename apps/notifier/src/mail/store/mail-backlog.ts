import { type Database } from '@ats/postgres';
import { OPERATOR_ERRORS } from '../smtp/mail-outcome.js';

export interface MailBacklog {
  /** Seconds for which the oldest due e-mail has been due; 0 when there is none. */
  readonly oldestDueAge: number;
  /** Whether e-mails wait because of a fault that only whoever runs the service can mend. */
  readonly isRefused: boolean;
}

/** The last attempts of so many that wait are looked at: a server that lets nobody in is soon known by all of them. */
const LOOKED_AT = 1_000;

/** By the partial index over e-mails that are due. */
const BACKLOG = `
SELECT
  COALESCE((SELECT GREATEST(0, extract(epoch FROM clock_timestamp() - next_attempt_dt))
    FROM outgoing_mails WHERE status = 'due' ORDER BY next_attempt_dt, id LIMIT 1), 0)::double precision AS "oldestDueAge",
  EXISTS (SELECT FROM (SELECT last_error FROM outgoing_mails WHERE status = 'due' ORDER BY next_attempt_dt, id LIMIT ${LOOKED_AT}) m
    WHERE split_part(m.last_error, ' ', 1) = ANY($1)) AS "isRefused"`;

export async function readMailBacklog(database: Database): Promise<MailBacklog> {
  const [row] = await database.counting.query<MailBacklog>({ text: BACKLOG, parameters: [OPERATOR_ERRORS] });
  if (!row) throw new Error('a query without a condition returned no row');
  return row;
}
