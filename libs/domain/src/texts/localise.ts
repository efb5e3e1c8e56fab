import { TRANSLATIONS } from '@ats/datapath/translations';
import { type Catalogue, createLocaliser } from '@ats/localisation';
import { type Message } from '@ats/message';
import { type Language } from '../vocabulary/languages.js';
import ar from './catalogues/ar.json' with { type: 'json' };
import de from './catalogues/de.json' with { type: 'json' };
import en from './catalogues/en.json' with { type: 'json' };
import es from './catalogues/es.json' with { type: 'json' };
import fr from './catalogues/fr.json' with { type: 'json' };

/**
 * Maps each language to the translations of all texts. Translations of texts of `@ats/datapath` come from that library.
 * A text without a translation is used as it is written. English has entries only for plurals.
 */
export const CATALOGUES: Readonly<Record<Language, Catalogue>> = {
  en,
  de: { ...TRANSLATIONS.de, ...de },
  fr: { ...TRANSLATIONS.fr, ...fr },
  es: { ...TRANSLATIONS.es, ...es },
  ar: { ...TRANSLATIONS.ar, ...ar },
};

const localiser = createLocaliser(CATALOGUES);

/**
 * Translates a message. A message without a translation is returned in English. Source: docs/reference/languages.md.
 */
export const localise = (message: Message, language: Language): string => localiser.localise(message, language);
