import { readDatapaths } from '@ats/domain';
import { runStatement } from '@ats/postgres';
import { type ReadSubject } from './matcher.js';

/** Reads current values of an event's subject, in the default language of the system, as snapshots contain them. */
export function createReadSubject(baseUrl: string): ReadSubject {
  return async (transaction, event, datapaths) => {
    const [system] = await runStatement<{ default_language: string }>(
      transaction,
      'SELECT default_language FROM systems ORDER BY id LIMIT 1',
    );
    return readDatapaths(
      (text, parameters) => runStatement(transaction, text, parameters),
      { type: event.subject_type, id: event.subject_id },
      datapaths,
      { baseUrl, language: system?.default_language ?? 'en' },
    );
  };
}
