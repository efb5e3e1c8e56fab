import { quoteLiteral, type SqlSettings } from '@ats/search-query';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { ALL_LANGUAGES, LANGUAGES } from './languages.js';

/** A localised text as it is stored: one entry per language. */
export type LocalisedText = Readonly<Record<string, string>>;

/**
 * What a client may send for a localised text: one text, or an object of texts by language. Another language than those of
 * the service is a fault at its own name.
 * @param one  what a text in one language must be
 */
export function localisedSchema(one: z.ZodType<string>): z.ZodType<string | LocalisedText> {
  const byLanguage = z
    .strictObject(Object.fromEntries(LANGUAGES.map((language) => [language, one.optional()])))
    .refine((texts) => Object.keys(texts).length > 0, {
      error: packed(message`expected a text in one of the languages ${LANGUAGES}`),
      when: ({ issues }) => issues.length === 0,
    });
  const error = packed(
    message`expected a text, or an object of texts by language such as ${'{ "en": "…", "de": "…" }'}`,
  );
  return z.union([one, byLanguage as unknown as z.ZodType<LocalisedText>], { error });
}

/**
 * How a localised text is stored. A text that names no language is in the system's default one, and there is no other: what
 * stood there in other languages before said something else. CONTRACT.md 11.
 */
export const storedText = (given: string | LocalisedText, defaultLanguage: string): LocalisedText =>
  typeof given === 'string' ? { [defaultLanguage]: given } : given;

/** Reads a stored text in the language of the request, else in the system's default one, else in any. */
export function localisedSql(column: string, { language = '' }: SqlSettings): string {
  return language === quoteLiteral(ALL_LANGUAGES)
    ? column
    : `coalesce(${column} ->> ${language}, fallback_text(${column}))`;
}

/** The same in memory. */
export function localisedValue(
  stored: unknown,
  { language, defaultLanguage }: { readonly language: string; readonly defaultLanguage: string },
): string | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const texts = stored as LocalisedText;
  const [any = ''] = Object.keys(texts).sort();
  return texts[language] ?? texts[defaultLanguage] ?? texts[any] ?? null;
}
