import { textsByName } from '../app/i18n.js';

/**
 * The titles of the views in the navigation. The navigation shows them before the texts of the area are loaded, so they
 * are in a file of their own.
 */
export const t = textsByName({
  data: { en: 'Data', de: 'Daten', fr: 'Données', es: 'Datos', ar: 'البيانات' },
});
