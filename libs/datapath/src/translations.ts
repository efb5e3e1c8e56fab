import ar from './translations/ar.json' with { type: 'json' };
import de from './translations/de.json' with { type: 'json' };
import es from './translations/es.json' with { type: 'json' };
import fr from './translations/fr.json' with { type: 'json' };

/**
 * Maps each language except English to the translations of all messages of this library. They map the English pattern
 * of a message to its translation, in the message format of ICU. A localiser such as that of `@ats/localisation` uses
 * them.
 */
export const TRANSLATIONS: Readonly<Record<'ar' | 'de' | 'es' | 'fr', Readonly<Record<string, string>>>> = {
  ar,
  de,
  es,
  fr,
};
