import { textsByName } from '../app/i18n.js';

/**
 * The titles of the views in the navigation. The navigation shows them before the texts of the area are loaded, so they
 * are in a file of their own.
 */
export const t = textsByName({
  credentials: {
    en: 'Credentials',
    de: 'Zugangsdaten',
    fr: 'Informations d’identification',
    es: 'Credenciales',
    ar: 'بيانات الاعتماد',
  },
  audit: {
    en: 'Audit log',
    de: 'Prüfprotokoll',
    fr: 'Journal d’audit',
    es: 'Registro de auditoría',
    ar: 'سجل التدقيق',
  },
  system: {
    en: 'System settings',
    de: 'Systemeinstellungen',
    fr: 'Paramètres du système',
    es: 'Ajustes del sistema',
    ar: 'إعدادات النظام',
  },
  boards: {
    en: 'Public boards',
    de: 'Öffentliche Jobbörsen',
    fr: 'Sites d’emploi publics',
    es: 'Portales de empleo públicos',
    ar: 'مواقع التوظيف العامة',
  },
});
