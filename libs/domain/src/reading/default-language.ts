import { runRepeated, type Transaction } from '@ats/postgres';
import { type TextLanguages } from '../vocabulary/localised-text.js';

/** Reads the system's default language, which applies to texts without a language. */
export async function defaultLanguage(transaction: Transaction): Promise<string> {
  const [system] = await runRepeated<{ default_language: string }>(
    transaction,
    'SELECT default_language FROM systems ORDER BY id LIMIT 1',
    [],
  );
  if (!system) throw new Error('the table systems is empty: run the migrations');
  return system.default_language;
}

/** Returns the languages that apply to a write. The client's language defaults to the system's default language. */
export async function languagesOf(
  transaction: Transaction,
  settings?: { readonly language: string },
): Promise<TextLanguages> {
  const fallback = await defaultLanguage(transaction);
  return { language: settings?.language ?? fallback, defaultLanguage: fallback };
}
