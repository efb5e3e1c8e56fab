/** The languages that texts can be written and read in. Source: CONTRACT.md 9. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** In the place of a language: localised texts as they are stored, in all of theirs. */
export const ALL_LANGUAGES = '*';
