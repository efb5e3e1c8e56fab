/** The languages in which texts can be written and read. Source: docs/reference/languages.md. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The value of the language setting that stands for all languages: localised texts are then read as they are stored.
 */
export const ALL_LANGUAGES = '*';
