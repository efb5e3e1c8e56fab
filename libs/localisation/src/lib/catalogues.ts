import ar from './catalogues/ar.json' with { type: 'json' };
import de from './catalogues/de.json' with { type: 'json' };
import en from './catalogues/en.json' with { type: 'json' };
import es from './catalogues/es.json' with { type: 'json' };
import fr from './catalogues/fr.json' with { type: 'json' };

/** Translations by the pattern of the English text. */
export type Catalogue = Readonly<Record<string, string>>;

export type CatalogueLanguage = 'en' | 'de' | 'fr' | 'es' | 'ar';

/** What has no entry reads as in the code; English has entries only where that is not good enough, as with plurals. */
export const CATALOGUES: Readonly<Record<CatalogueLanguage, Catalogue>> = { en, de, fr, es, ar };
