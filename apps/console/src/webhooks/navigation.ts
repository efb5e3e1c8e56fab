import { texts } from '../app/i18n.js';

/**
 * The titles of the views. They are not in the texts of the area, because the navigation shows them before the area is
 * loaded.
 */
export const t = texts({
  en: { overview: 'Overview', endpoints: 'Endpoints', topics: 'Topics', log: 'Delivery log', subscribe: 'Subscribe' },
  de: { overview: 'Überblick', endpoints: 'Endpunkte', topics: 'Themen', log: 'Zustellungen', subscribe: 'Abonnieren' },
  fr: {
    overview: 'Aperçu',
    endpoints: 'Points de réception',
    topics: 'Sujets',
    log: 'Livraisons',
    subscribe: 'S’abonner',
  },
  es: { overview: 'Resumen', endpoints: 'Destinos', topics: 'Temas', log: 'Entregas', subscribe: 'Suscribirse' },
  ar: {
    overview: 'نظرة عامة',
    endpoints: 'نقاط الاستقبال',
    topics: 'مواضيع الإشعارات',
    log: 'سجل التسليم',
    subscribe: 'الاشتراك',
  },
});
