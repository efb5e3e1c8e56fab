/** The collections whose items have an address. Source: CONTRACT.md 5 and 11 (names of the two kinds of application). */
export type Collection =
  | 'vacancy_applications'
  | 'event_applications'
  | 'candidates'
  | 'users'
  | 'recruiters'
  | 'vacancies'
  | 'events'
  | 'postings'
  | 'job_boards'
  | 'credentials'
  | 'systems'
  | 'forms'
  | 'layouts'
  | 'communications'
  | 'message_templates'
  | 'saved_searches'
  | 'config_searches'
  | 'selections'
  | 'notification_topics'
  | 'notification_events';

export const API_PREFIX = '/api/v1';

/** The absolute address of one item; `baseUrl` is `PUBLIC_BASE_URL` without a slash at its end. */
export const resourceUrl = (baseUrl: string, collection: Collection, id: number): string =>
  `${baseUrl}${API_PREFIX}/${collection}/${id}`;
