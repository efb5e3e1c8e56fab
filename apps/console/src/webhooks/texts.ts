import { texts } from '../app/i18n.js';
import { ar } from './texts/ar.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';

/** The texts of the webhooks area. */
export const t = texts({ en, de, fr, es, ar });
