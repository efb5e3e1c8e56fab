import { ApiError } from '@ats/client';

/** The resources at the top of the API. A test compares them with the generated client. */
export const RESOURCES = [
  'applications',
  'audit_entries',
  'candidates',
  'changes',
  'client_certificates',
  'communications',
  'config_searches',
  'credentials',
  'datapaths',
  'documents',
  'event_applications',
  'event_types',
  'events',
  'forms',
  'job_boards',
  'layouts',
  'me',
  'message_templates',
  'notification_endpoints',
  'notification_events',
  'notification_topics',
  'postings',
  'processes',
  'recruiters',
  'saved_searches',
  'schemas',
  'scopes',
  'selections',
  'systems',
  'users',
  'vacancies',
  'vacancy_applications',
];

/**
 * Returns a hint about a resource that the API does not have: the most similar name, or all names when none is similar.
 * Returns undefined for every other error.
 */
export async function resourceHint(error: ApiError): Promise<string | undefined> {
  if (error.status !== 404) return undefined;
  const [, name] = /\/api\/v1\/([^/?]+)/.exec(error.response.url) ?? [];
  if (name === undefined || RESOURCES.includes(decodeURIComponent(name))) return undefined;
  // Loads the package only for this error. Loading it takes longer than most commands.
  const { findSimilar } = await import('./language/similar.js');
  const similar = findSimilar(decodeURIComponent(name), RESOURCES);
  return similar === undefined ? `The resources are: ${RESOURCES.join(', ')}` : `Did you mean ${similar}?`;
}

/** True for the address of an item, or of a list without pages, such as `me` and `event_types`. */
export const hasNoPages = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 400 &&
  error.violations.some(({ parameter }) => parameter === 'per_page');
