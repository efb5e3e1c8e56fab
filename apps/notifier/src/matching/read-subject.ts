import { readDatapathsOfSubjects } from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';
import { type ClaimedEvent } from './claimed-events.js';
import { type ReadSubject } from './matcher.js';

/**
 * Returns a function that reads current values of an event's subject. It reads texts in the default language of the
 * system, like snapshots.
 */
export function createReadSubject(baseUrl: string): ReadSubject {
  return async (transaction, event, datapaths) => {
    const [system] = await runStatement<{ default_language: string }>(
      transaction,
      'SELECT default_language FROM systems ORDER BY id LIMIT 1',
    );
    const { subject_type: type, subject_id: id } = event;
    const occurred = type === 'notification_delivery' ? await timeOfDelivery(transaction, event) : undefined;
    const found = await readDatapathsOfSubjects(
      (text, parameters) => runStatement(transaction, text, parameters),
      { type, ids: [id], ...(occurred && { occurred: [occurred, occurred] }) },
      datapaths,
      { baseUrl, language: system?.default_language ?? 'en' },
    );
    return found.get(id) ?? null;
  };
}

/** Returns the time by which deliveries are partitioned, so that PostgreSQL need not search all partitions. */
async function timeOfDelivery(transaction: Transaction, { id }: ClaimedEvent): Promise<Date | undefined> {
  const [event] = await runStatement<{ occurred: Date | null }>(
    transaction,
    `SELECT (facts ->> 'notification_delivery.occurred_dt')::timestamptz AS occurred FROM domain_events WHERE id = $1`,
    [id],
  );
  return event?.occurred ?? undefined;
}
