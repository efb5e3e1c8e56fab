import { objectModel } from '../src/objects/object-model.js';

/** Maps columns that no client fills, or that anonymising does not reach, to the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  'migrations.*': 'filled by the migration tool',
  'processes.*': 'filled by migrations',
  'states.*': 'filled by migrations',
  'state_moves.*': 'filled by migrations',
  'notification_datapaths.*': 'names of the model',
  'notification_past_datapaths.*': 'names of the model',
  'change_inbox.*': 'filled by triggers: ids, times and closed lists',
  'changes.*': 'filled from change_inbox',
  'change_feed.*': 'filled by the service: a random number, an id and a time',
  'notification_topics.datapaths': 'names of the model',
  'notification_topics.past_datapaths': 'names of the model',
  'notification_topics.read_scopes': 'names of scopes',
  'notification_topic_revisions.datapaths': 'names of the model',
  'notification_reconciliation.*': 'filled by the notifier',
  'notification_reconciliation_findings.*': 'filled by the notifier: ids',
  'notification_deliveries.*': 'ids and URLs; dropped after DELIVERY_RETENTION_DAYS',
  'notification_attempts.*': 'answers of destinations are tested in anonymise.db-spec.ts',
  'notification_endpoint_stats.*': 'filled by the notifier: counts and closed lists',
  'client_certificates.certificate': 'a certificate of the service, which names no candidate',
  'client_certificates.subject': 'follows from the certificate',
  'client_certificates.issuer': 'follows from the certificate',
  'client_certificates.serial_number': 'follows from the certificate',
  'client_certificates.fingerprint': 'follows from the certificate',
  'notification_redeliveries.*': 'the id of the request; dropped with the deliveries',
  'notification_late_facts.*': 'snapshots are tested in anonymise.db-spec.ts',
  'domain_events.*': 'snapshots are tested in anonymise.db-spec.ts',
  'idempotency_keys.*': 'deleted after 24 hours; answers about the person are tested in anonymise.db-spec.ts',
  'document_uploads.*': 'uploads that belong to nobody yet; deleted within 48 hours',
  'stored_queries.*': 'tested in delete-queries-about-person.db-spec.ts',
  'application_form_values.*': 'answers of another applicant belong to that person',
  'audit_entries.*': 'append-only: ids, names of properties and digests, no texts of clients',
  'outgoing_mails.*': 'filled by the notifier',
  'activation_mails.*': 'filled by the notifier',
  'anonymised_mentions.*': 'names of places, filled by anonymising itself',
  'account_activations.*': 'filled by the service, and deleted',
  'quick_search_words.*': 'kept by triggers: the words of other columns',
  'notification_subscription_revisions.disabled_reason': 'a closed list',
  'postings.known_status': 'a closed list',
  'history_entries.type': 'a closed list',
  'history_entries.subject_type': 'a closed list',
  'history_entries.collection': 'a closed list',
  'communications.failed_reason': 'a closed list',
  'notification_topic_revisions.type': 'a closed list',
  'opportunity_form_values.option_values': 'options of the form',
  'credentials.key_id': 'random',
  'credentials.allowed_cidrs': 'networks',
  'systems.domain': 'a host name',
  'systems.languages': 'a closed list',
  'systems.changed_settings': 'names of the model',
  'applications.reference': 'assigned by the service',
  'notification_subscriptions.destination_origin': 'follows from destination_url, which is reported',
  'selection_members.member_table': 'a closed list',
};
/** Columns that contain the identity of other people, values of closed lists, or names of the object model. */
const IDENTITY = new Set(
  objectModel.types
    .filter(({ name }) => name !== 'communication')
    .flatMap(({ table, attributes }) => Object.entries(attributes).map((entry) => [table, ...entry] as const))
    .filter(([, , { identifying, values, listed, content }]) => identifying || values || listed || content === 'code')
    .map(([table, name, { column }]) => `${table}.${column?.name ?? name}`),
);
/** True for a column in which the test of anonymising plants no text about the person. */
export const isExempt = (table: string, column: string): boolean =>
  IDENTITY.has(`${table}.${column}`) ||
  `${table}.*` in EXEMPT ||
  `${table}.${column}` in EXEMPT ||
  /_p?\d{8}$|_first$/.test(table);
