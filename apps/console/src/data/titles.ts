import { textsByName } from '../app/i18n.js';

/**
 * The titles of the views. They are not in the texts of the area, because the navigation shows them before the area is
 * loaded.
 */
export const t = textsByName({
  data: { en: 'Data', de: 'Daten', fr: 'Données', es: 'Datos', ar: 'البيانات' },
});
