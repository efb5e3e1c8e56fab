import { type CatalogueLanguage } from './catalogues.js';

/** In which direction a language is written: the `dir` of HTML. */
export const directionOf = (language: CatalogueLanguage): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');
