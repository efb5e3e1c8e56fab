import { labelOf } from './columns.js';
import { type Translations, translationIn } from './field-labels.js';

/** The titles of collections and of their groups. The English title comes from the description of the API. */
export const TITLES: Readonly<Record<string, Translations>> = {
  Recruitment: ['Bewerbungsverfahren', 'Recrutement', 'Contratación', 'التوظيف'],
  Views: ['Ansichten', 'Vues', 'Vistas', 'طرق العرض'],
  Notifications: ['Benachrichtigungen', 'Notifications', 'Notificaciones', 'الإشعارات'],
  'People and access': ['Personen und Zugriff', 'Personnes et accès', 'Personas y acceso', 'الأشخاص والوصول'],
  'The service': ['Der Dienst', 'Le service', 'El servicio', 'الخدمة'],
  applications: ['Bewerbungen', 'Candidatures', 'Candidaturas', 'طلبات التوظيف'],
  event_applications: [
    'Bewerbungen für Veranstaltungen',
    'Candidatures à des événements',
    'Candidaturas a eventos',
    'طلبات التوظيف للفعاليات',
  ],
  candidates: ['Kandidaten', 'Candidats', 'Candidatos', 'المرشحون'],
  vacancies: ['Stellen', 'Postes', 'Vacantes', 'الوظائف الشاغرة'],
  events: ['Veranstaltungen', 'Événements', 'Eventos', 'الفعاليات'],
  postings: ['Stellenanzeigen', 'Annonces', 'Anuncios', 'الإعلانات'],
  job_boards: ['Jobbörsen', 'Sites d’emploi', 'Portales de empleo', 'مواقع التوظيف'],
  documents: ['Dokumente', 'Documents', 'Documentos', 'المستندات'],
  communications: ['Mitteilungen', 'Communications', 'Comunicaciones', 'المراسلات'],
  message_templates: ['Nachrichtenvorlagen', 'Modèles de message', 'Plantillas de mensaje', 'قوالب الرسائل'],
  forms: ['Formulare', 'Formulaires', 'Formularios', 'النماذج'],
  saved_searches: ['Gespeicherte Suchen', 'Recherches enregistrées', 'Búsquedas guardadas', 'عمليات البحث المحفوظة'],
  config_searches: ['Konfigurierte Suchen', 'Recherches configurées', 'Búsquedas configuradas', 'عمليات البحث المُعَدّة'],
  selections: ['Auswahlen', 'Sélections', 'Selecciones', 'التحديدات'],
  layouts: ['Layouts', 'Dispositions', 'Diseños', 'التخطيطات'],
  notification_topics: ['Themen', 'Sujets', 'Temas', 'مواضيع الإشعارات'],
  notification_subscriptions: ['Abonnements', 'Abonnements', 'Suscripciones', 'الاشتراكات'],
  notification_endpoints: ['Endpunkte', 'Points de réception', 'Destinos', 'نقاط الاستقبال'],
  notification_deliveries: ['Zustellungen', 'Livraisons', 'Entregas', 'عمليات التسليم'],
  notification_redeliveries: ['Erneute Zustellungen', 'Nouvelles livraisons', 'Reenvíos', 'عمليات إعادة التسليم'],
  client_certificates: ['Client-Zertifikate', 'Certificats client', 'Certificados de cliente', 'شهادات العميل'],
  notification_events: ['Ereignisse', 'Événements enregistrés', 'Eventos registrados', 'الأحداث'],
  recruiters: ['Recruiter', 'Recruteurs', 'Reclutadores', 'مسؤولو التوظيف'],
  users: ['Personen', 'Personnes', 'Personas', 'الأشخاص'],
  credentials: ['Zugangsdaten', 'Informations d’identification', 'Credenciales', 'بيانات الاعتماد'],
  audit_entries: ['Prüfprotokoll', 'Journal d’audit', 'Registro de auditoría', 'سجل التدقيق'],
  systems: ['System', 'Système', 'Sistema', 'النظام'],
};

/**
 * Returns the title of a collection or a group in the language of the page. A collection of a newer service has its
 * English title.
 */
export const translatedTitle = (name: string, english: string): string => translationIn(TITLES, name) ?? english;

/** Returns the name of one item: `saved_search` for `saved_searches`, and `vacancy` for `vacancies`. */
export const singularOf = (collection: string): string =>
  collection.endsWith('ies') ? collection.replace(/ies$/, 'y') : collection.replace(/(?<=ch)es$|s$/, '');

/** Returns the title of an item whose name is not read, such as `Recruiter #1003`. */
export const titleById = (collection: string, id: number | string): string =>
  `${labelOf(singularOf(collection))} #${id}`;
