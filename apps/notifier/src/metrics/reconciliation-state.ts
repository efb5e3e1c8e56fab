import { type Database } from '@ats/postgres';

export interface ReconciliationState {
  /**
   * The number of missing and unexpected deliveries in all findings. Operators delete findings that they have resolved.
   */
  readonly difference: number;
  /** Seconds since the last compared event was matched. 0 when all events have been compared. */
  readonly lag: number;
  /** Seconds since the last round. Null before the first round. */
  readonly idle: number | null;
}

const STATE = `
SELECT (SELECT COALESCE(sum(missing + unexpected), 0) FROM notification_reconciliation_findings) AS difference,
  CASE WHEN is_behind THEN extract(epoch FROM clock_timestamp() - matched_dt)::double precision ELSE 0 END AS lag,
  extract(epoch FROM clock_timestamp() - stepped_dt)::double precision AS idle
FROM notification_reconciliation`;

export async function readReconciliation(database: Database): Promise<ReconciliationState> {
  const [row] = await database.counting.query<ReconciliationState>({ text: STATE, parameters: [] });
  if (!row) throw new Error('the table notification_reconciliation has no row: run the migrations');
  return row;
}
