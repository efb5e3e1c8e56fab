/** The first parts of language tags, such as `ar`, for languages that are written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);
/** Languages whose lists use the Arabic comma. */
const ARABIC_COMMA: ReadonlySet<string> = new Set(['ar', 'ckb', 'fa', 'ps', 'sd', 'ug', 'ur']);
/** Languages whose lists use the enumeration comma of Chinese and Japanese. */
const ENUMERATION_COMMA: ReadonlySet<string> = new Set(['ja', 'zh']);

/** Returns the first part of a language tag: `de` for `de-AT`. */
export const primaryOf = (language: string): string => (language.split('-', 1)[0] ?? '').toLowerCase();

/** Returns the writing direction of a language, for the attribute `dir` in HTML. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(primaryOf(language)) ? 'rtl' : 'ltr';

/** Returns the text that separates the items of a list within a sentence. */
export function commaOf(language: string): string {
  if (ARABIC_COMMA.has(primaryOf(language))) return '، ';
  return ENUMERATION_COMMA.has(primaryOf(language)) ? '、' : ', ';
}
