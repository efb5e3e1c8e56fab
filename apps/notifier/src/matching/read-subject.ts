import { readDatapaths } from '@ats/domain';
import { runStatement } from '@ats/postgres';
import { type ReadSubject } from './matcher.js';

/** Reads an event's subject as it is now, in the language in which events carry localised texts. */
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
