import { quoteLiteral, type SqlSettings } from '@ats/search-query';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { ALL_LANGUAGES, LANGUAGES } from './languages.js';

/** A localised text as it is stored. It maps languages to texts. */
export type LocalisedText = Readonly<Record<string, string>>;

/**
 * The check of a localised text that a client sends: one text, or an object of texts by language. An unknown language
 * is a violation at the pointer of that language.
 * @param one  the check of a text in one language
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

/** The languages that apply to a write. */
export interface TextLanguages {
  /** The language in which the client reads and writes. */
  readonly language: string;
  /** The system's default language, for texts without a language. */
  readonly defaultLanguage: string;
}

/**
 * Converts a text of a client to the stored form. A text without a language is stored in the system's default language,
 * and it replaces all translations, because they may no longer match. A text that equals the text that the client reads
 * changes nothing. Source: docs/reference/languages.md.
 * @param present  the text that is stored now, if any
 */
export function storedText(
  given: string | LocalisedText,
  languages: TextLanguages,
  present?: LocalisedText,
): LocalisedText {
  if (typeof given !== 'string') return given;
  return present && given === localisedValue(present, languages) ? present : { [languages.defaultLanguage]: given };
}

/**
 * SQL that reads a stored text in the language of the request, else in the system's default language, else in any
 * language.
 */
export function localisedSql(column: string, { language = '' }: SqlSettings): string {
  return language === quoteLiteral(ALL_LANGUAGES)
    ? column
    : `coalesce(${column} ->> ${language}, fallback_text(${column}))`;
}

/** Reads a stored text in memory. It chooses the language like {@link localisedSql}. */
export function localisedValue(stored: unknown, { language, defaultLanguage }: TextLanguages): string | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const texts = stored as LocalisedText;
  const [any = ''] = Object.keys(texts).sort();
  return texts[language] ?? texts[defaultLanguage] ?? texts[any] ?? null;
}
