import { textsByName } from '../app/i18n.js';

/**
 * The titles of the views in the navigation. The navigation shows them before the texts of the area are loaded, so they
 * are in a file of their own.
 */
export const t = textsByName({
  application: { en: 'Application', de: 'Bewerbung', fr: 'Candidature', es: 'Candidatura', ar: 'طلب التوظيف' },
  form: { en: 'Form', de: 'Formular', fr: 'Formulaire', es: 'Formulario', ar: 'النموذج' },
  template: {
    en: 'Message template',
    de: 'Nachrichtenvorlage',
    fr: 'Modèle de message',
    es: 'Plantilla de mensaje',
    ar: 'قالب رسالة',
  },
});
