import { texts } from '../app/i18n.js';

/**
 * The titles of the views in the navigation. The navigation shows them before the texts of the area are loaded, so they
 * are in a file of their own.
 */
export const t = texts({
  en: {
    overview: 'Overview',
    endpoints: 'Endpoints',
    endpoint: 'Endpoint',
    topics: 'Topics',
    topic: 'Topic',
    log: 'Delivery log',
    subscribe: 'Subscribe',
  },
  de: {
    overview: 'Überblick',
    endpoints: 'Endpunkte',
    endpoint: 'Endpunkt',
    topics: 'Themen',
    topic: 'Thema',
    log: 'Zustellungen',
    subscribe: 'Abonnieren',
  },
  fr: {
    overview: 'Aperçu',
    endpoints: 'Points de réception',
    endpoint: 'Point de réception',
    topics: 'Sujets',
    topic: 'Sujet',
    log: 'Livraisons',
    subscribe: 'S’abonner',
  },
  es: {
    overview: 'Resumen',
    endpoints: 'Destinos',
    endpoint: 'Destino',
    topics: 'Temas',
    topic: 'Tema',
    log: 'Entregas',
    subscribe: 'Suscribirse',
  },
  ar: {
    overview: 'نظرة عامة',
    endpoints: 'نقاط الاستقبال',
    endpoint: 'نقطة الاستقبال',
    topics: 'مواضيع الإشعارات',
    topic: 'موضوع الإشعارات',
    log: 'سجل التسليم',
    subscribe: 'الاشتراك',
  },
});
