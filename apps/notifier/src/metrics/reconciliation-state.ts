import { type Database } from '@ats/postgres';

export interface ReconciliationState {
  /** Missing and unexpected deliveries in findings that nobody has dealt with. */
  readonly difference: number;
  /** Seconds since the last compared event was matched, while there may be more; else 0. */
  readonly lag: number;
  /** Seconds since the last step; null when there was none yet. */
  readonly idle: number | null;
}

const STATE = `
SELECT (SELECT COALESCE(sum(missing + unexpected), 0) FROM notification_reconciliation_findings) AS difference,
  CASE WHEN is_behind THEN extract(epoch FROM clock_timestamp() - matched_dt)::double precision ELSE 0 END AS lag,
  extract(epoch FROM clock_timestamp() - stepped_dt)::double precision AS idle
FROM notification_reconciliation`;

export async function readReconciliation(database: Database): Promise<ReconciliationState> {
  const [row] = await database.counting.query<ReconciliationState>({ text: STATE, parameters: [] });
  if (!row) throw new Error('the state of reconciliation is a single row, and not there');
  return row;
}
