import { textsByName } from '../app/i18n.js';

/**
 * The titles of the views. They are not in the texts of the area, because the navigation shows them before the area is
 * loaded.
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
