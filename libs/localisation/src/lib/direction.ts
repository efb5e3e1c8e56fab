import { type CatalogueLanguage } from './catalogues.js';

/** The writing direction of a language, for `dir` in HTML. */
export const directionOf = (language: CatalogueLanguage): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');
