import { type Item } from './answer.js';
import { type Changeable, type WriteSchema } from './changeable-items.js';
import { pairOf } from './certificate-pair.js';
import { email, unique } from './collection-calls.js';
import { type Factories } from './factories.js';

type MakeValue = (make: Factories, item: Item) => unknown;

const idOf = async (item: Promise<Item>): Promise<number> => (await item).id;
const EARLY = '2020-02-03';
const LATE = '2090-02-03';

/**
 * Maps a property, as `<last part of the path of the collection>/<name>`, to a function that makes a value. The values
 * do not follow from the schema.
 */
const OWN_VALUES: Readonly<Record<string, MakeValue>> = {
  'vacancy_applications/opportunity_id': (make) => idOf(make.vacancy()),
  'event_applications/opportunity_id': (make) => idOf(make.event()),
  'vacancy_applications/posting_id': (make, { opportunity_id }) => idOf(make.posting({ vacancy_id: opportunity_id })),
  'postings/vacancy_id': (make) => idOf(make.vacancy()),
  'events/end_dt': () => `${LATE}T09:00:00.000Z`,
  'vacancies/salary_max': () => 99_999_999,
  'vacancies/salary_currency': () => 'EUR',
  'systems/timezone': () => 'Europe/Berlin',
  'systems/domain': () => 'other.example.com',
  'systems/default_language': () => 'de',
  'notification_topics/owner_id': (make) => idOf(make.credential()),
  'subscriptions/owner_id': (make) => idOf(make.credential()),
  'notification_topics/type': () => 'STATE_CHANGE_OPPORTUNITY',
  'notification_topics/expression': (_, { type }) =>
    type === 'STATE_CHANGE_OPPORTUNITY' ? 'opportunity.id > 0' : 'application.id > 0',
  'notification_endpoints/custom_headers': (_, { custom_headers }) => ({ ...(custom_headers as object), 'x-new': 'a' }),
  'notification_endpoints/authentication': () => ({
    type: 'oauth2_client_credentials',
    token_url: 'https://other.example.com/token',
    client_id: 'a',
    client_secret: 'b',
  }),
  'client_certificates/certificate': () => pairOf('other.example.com').certificate,
  'notification_endpoints/throttle': () => ({ limit: 7, per_s: 9 }),
  'notification_endpoints/batch': () => ({ max: 7, wait_ms: 9 }),
  'layouts/columns': () => [{ title: { en: 'Number', de: 'Nummer' }, datapath: 'application.id' }],
  'forms/sections': () => [{ name: 'Other', items: [{ key: 'other', label: 'Other', type: 'text' }] }],
  'forms/opportunity_ids': async (make, { resource }) => [
    await idOf(resource === 'applications' ? make.vacancy() : make.event()),
  ],
  'saved_searches/search': () => ['/source=fair'],
  'config_searches/search': () => ['/source=fair'],
  'saved_searches/where': () => 'application.source == "fair"',
  'config_searches/where': () => 'application.source == "fair"',
  'saved_searches/sort': () => ['reference!asc'],
  'config_searches/sort': () => ['reference!asc'],
};

/** Maps the name of a property that several kinds of items have to a function that makes a value. */
const NAMED_VALUES: Readonly<Record<string, MakeValue>> = {
  user_id: (make) => idOf(make.candidate()),
  owner_id: (make) => idOf(make.recruiter()),
  endpoint_id: (make) => idOf(make.endpoint()),
  job_board_id: (make) => idOf(make.jobBoard()),
  resource: (_, { resource }) => (resource === 'applications' ? 'event_applications' : 'vacancies'),
  opening_date: () => EARLY,
  closing_date: () => LATE,
  date_of_birth: () => EARLY,
  start_dt: () => '2026-12-31T09:00:00.000Z',
  end_dt: () => `${LATE}T09:00:00.000Z`,
  scoring_rules: () => [{ expression: 'application.rating > 3', points: 1.5 }],
  base_url: () => 'https://other.example.com/',
  destination_url: () => 'https://other.example.com/',
};

/** Properties for which no second valid value exists, that can be set only once, or that GET does not show. */
const SKIPPED: ReadonlySet<string> = new Set([
  'client_certificates/private_key',
  'documents/application_id',
  'documents/candidate_id',
  'vacancy_applications/form_values',
  'event_applications/form_values',
  'event_applications/posting_id',
]);

/** Read-only properties that a body may have with any value, because they change without a write. */
const IGNORED: ReadonlySet<string> = new Set(['notification_endpoints/health']);

/**
 * True for a read-only property that a body may have with any value.
 * @param path  path of a collection or an item
 */
export const isIgnored = (path: string, name: string): boolean =>
  path.split('/').some((collection) => IGNORED.has(`${collection}/${name}`));

const collectionOf = ({ path }: Changeable): string => path.split('/').at(-2) ?? '';

/** Returns the names of the writable properties of an item that can get another valid value. */
export const changeableProperties = (kind: Changeable): readonly string[] =>
  Object.keys(kind.properties).filter((name) => !SKIPPED.has(`${collectionOf(kind)}/${name}`));

/** Returns a valid value of a property that differs from its present one. */
export function changedValue(make: Factories, kind: Changeable, name: string, item: Item): Promise<unknown> {
  const own = OWN_VALUES[`${collectionOf(kind)}/${name}`] ?? NAMED_VALUES[name];
  return Promise.resolve(own ? own(make, item) : valueOf(kind.properties[name] ?? {}, item[name]));
}

/** Returns a value that matches a schema and differs from `present`. */
function valueOf(schema: WriteSchema, present?: unknown): unknown {
  const [type] = [schema.type ?? []].flat();
  if (schema.anyOf) return valueOf(schema.anyOf[0] ?? {}, present);
  if (schema.enum) return schema.enum.filter((value) => value !== null && value !== present).at(-1);
  if (schema.format === 'email') return email();
  if (schema.format === 'date') return EARLY;
  if (type === 'boolean') return present !== true;
  if (type === 'integer' || type === 'number') return typeof present === 'number' && present < 5 ? present + 1 : 3;
  if (type === 'array') return [valueOf(schema.items ?? {})];
  if (type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, valueOf(inner)]));
  return unique();
}
