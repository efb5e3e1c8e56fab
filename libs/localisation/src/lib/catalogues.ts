import ar from './catalogues/ar.json' with { type: 'json' };
import de from './catalogues/de.json' with { type: 'json' };
import en from './catalogues/en.json' with { type: 'json' };
import es from './catalogues/es.json' with { type: 'json' };
import fr from './catalogues/fr.json' with { type: 'json' };

/** Maps the English pattern to its translation. */
export type Catalogue = Readonly<Record<string, string>>;

export type CatalogueLanguage = 'en' | 'de' | 'fr' | 'es' | 'ar';

/** A pattern without an entry is used as it is. English has entries only for patterns that need plurals. */
export const CATALOGUES: Readonly<Record<CatalogueLanguage, Catalogue>> = { en, de, fr, es, ar };
