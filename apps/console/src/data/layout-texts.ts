import { textsByName } from '../app/i18n.js';

/** The texts of the dialog that saves a layout. */
export const t = textsByName({
  saveLayout: {
    en: 'Save the columns as a layout',
    de: 'Spalten als Layout speichern',
    fr: 'Enregistrer les colonnes comme disposition',
    es: 'Guardar las columnas como diseño',
    ar: 'حفظ الأعمدة كتخطيط',
  },
  layoutHint: {
    en: 'The layout gets these columns: {columns}.',
    de: 'Das Layout bekommt diese Spalten: {columns}.',
    fr: 'La disposition aura ces colonnes : {columns}.',
    es: 'El diseño tendrá estas columnas: {columns}.',
    ar: 'يحصل التخطيط على هذه الأعمدة: {columns}.',
  },
});
