import { runStatement, type Transaction } from '@ats/postgres';

/** Selects events, and the values that are removed from their snapshots. */
export interface BlankedEvents {
  /** SQL that selects the ids of the events. */
  readonly ids: string;
  readonly parameters: readonly unknown[];
  /** True for a datapath whose value is removed. */
  readonly isRemoved: (datapath: string, facts: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * Removes the selected values from the snapshots of events. Does not change a snapshot without selected values.
 * @returns the changed events
 */
export async function blankEvents(
  transaction: Transaction,
  { ids, parameters, isRemoved }: BlankedEvents,
): Promise<readonly { readonly id: number }[]> {
  const changed: { readonly id: number }[] = [];
  for (const [table, key, more] of [
    // `anonymised_dt` tells explanations and the reconciliation that values were removed.
    ['domain_events', 'id', ', anonymised_dt = clock_timestamp()'],
    ['notification_late_facts', 'event_id', ''],
  ] as const) {
    const rows = await runStatement<{ id: number; facts: Record<string, unknown> }>(
      transaction,
      `SELECT ${key} AS id, facts FROM ${table} WHERE ${key} IN (${ids}) FOR UPDATE`,
      parameters,
    );
    for (const { id: eventId, facts } of rows) {
      const isBlank = ([path, value]: [string, unknown]): boolean => value === null || !isRemoved(path, facts);
      if (Object.entries(facts).every(isBlank)) continue;
      if (table === 'domain_events') changed.push({ id: eventId });
      const kept = Object.fromEntries(
        Object.entries(facts).map(([path, value]) => [path, isRemoved(path, facts) ? null : value]),
      );
      await runStatement(transaction, `UPDATE ${table} SET facts = $2${more} WHERE ${key} = $1`, [
        eventId,
        JSON.stringify(kept),
      ]);
    }
  }
  return changed;
}
