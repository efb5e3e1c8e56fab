import { runStatement, type Transaction } from '@ats/postgres';

/** The language of what names none. */
export async function defaultLanguage(transaction: Transaction): Promise<string> {
  const [system] = await runStatement<{ default_language: string }>(
    transaction,
    'SELECT default_language FROM systems ORDER BY id LIMIT 1',
  );
  if (!system) throw new Error('there is no system: the migrations are not in');
  return system.default_language;
}
