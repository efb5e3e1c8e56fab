import { texts } from '../app/i18n.js';

/** The texts of this area. */
export const t = texts({
  en: {
    endpointCount: 'Endpoints',
    backlog: 'Backlog',
    attempts: 'Attempts of the last day',
    delivered: 'Delivered',
    failed: 'Failed',
  },
  de: {
    endpointCount: 'Endpunkte',
    backlog: 'Rückstand',
    attempts: 'Versuche des letzten Tages',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
  },
  fr: {
    endpointCount: 'Points de réception',
    backlog: 'En attente',
    attempts: 'Essais du dernier jour',
    delivered: 'Livrés',
    failed: 'Échoués',
  },
  es: {
    endpointCount: 'Destinos',
    backlog: 'Pendientes',
    attempts: 'Intentos del último día',
    delivered: 'Entregados',
    failed: 'Fallidos',
  },
  ar: {
    endpointCount: 'نقاط الاستقبال',
    backlog: 'المتأخرات',
    attempts: 'محاولات اليوم الأخير',
    delivered: 'تم التسليم',
    failed: 'فشل',
  },
});
