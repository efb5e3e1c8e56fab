/** Languages that are written from right to left, by the first part of their tag. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);
/** Languages in the Arabic script, whose comma differs. */
const ARABIC_COMMA: ReadonlySet<string> = new Set(['ar', 'ckb', 'fa', 'ps', 'sd', 'ug', 'ur']);
/** Languages that write lists with an enumeration comma. */
const ENUMERATION_COMMA: ReadonlySet<string> = new Set(['ja', 'zh']);

/** The first part of a language tag: `de` of `de-AT`. */
export const primaryOf = (language: string): string => (language.split('-', 1)[0] ?? '').toLowerCase();

/** The writing direction of a language, for `dir` in HTML. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(primaryOf(language)) ? 'rtl' : 'ltr';

/** The separator of the items of a list within a sentence. */
export function commaOf(language: string): string {
  if (ARABIC_COMMA.has(primaryOf(language))) return '، ';
  return ENUMERATION_COMMA.has(primaryOf(language)) ? '、' : ', ';
}
