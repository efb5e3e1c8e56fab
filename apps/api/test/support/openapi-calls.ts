import { allResources, type Resource } from '@ats/domain';
import { type Item } from './answer.js';
import {
  type Body,
  type Call,
  type MakeCall,
  email,
  unique,
  PAGE,
  PAGE_BODY,
  idOf,
  type CollectionCalls,
  collection,
  stateMoves,
  history,
  formValues,
  applicationCalls,
} from './collection-calls.js';
import { pairOf } from './certificate-pair.js';
import { type Factories } from './factories.js';
import { publicBoardCalls } from './public-board-calls.js';
import { uniqueProperties } from './unique-properties.js';

export { type Call, type MakeCall };

/** Matches the paths that need no scope: docs/reference/authentication.md, "Scopes". */
export const NEEDS_NO_SCOPE = /^\/api\/v1\/(me|schemas|scopes|processes|event_types|datapaths)\b/;

const application: CollectionCalls['item'] = async (make) => {
  const posting = await make.posting();
  return make.application({
    opportunity_id: (posting['vacancy'] as Item).id,
    posting_id: posting.id,
    source: 'fair',
    tags: ['a'],
    rating: 5,
  });
};
const candidate: CollectionCalls['item'] = (make) =>
  make.candidate({
    Email: [{ Label: 'work', Address: 'ada@work.example.com' }],
    Address: [{ Label: 'home', AddressLine: '12 Square', City: 'London', PostalCode: 'SW1Y 4JH', CountryCode: 'GB' }],
    Phone: [{ Label: 'mobile', Number: '+44 20 7946 0000' }],
    Url: [{ Label: 'website', Address: 'https://ada.example.com' }],
    date_of_birth: '1990-12-10',
    tags: ['a'],
  });
const ofSubscription = async (make: Factories): Promise<Call> => {
  const { id, topic } = await make.subscription();
  return { path: { topicId: (topic as Item).id, id } };
};
const SUBSCRIPTIONS = '/api/v1/notification_topics/{topicId}/subscriptions';
const BELOW_SUBSCRIPTION = `${SUBSCRIPTIONS}/{subscriptionId}`;
const DELIVERIES = `${BELOW_SUBSCRIPTION}/deliveries`;
/** Makes a call about an item below a subscription. Its path parameters are read from the URL of the item. */
const belowSubscription =
  (item: (make: Factories) => Promise<Item>) =>
  async (make: Factories): Promise<Call> => {
    const [topicId = '', , subscriptionId = '', , id = ''] =
      (await item(make)).url.split('/notification_topics/')[1]?.split('/') ?? [];
    return { path: { topicId, subscriptionId, id } };
  };
const ofDelivery = belowSubscription((make) => make.ping());
const ofRedelivery = belowSubscription((make) => make.redelivery());
const ofEvent = async (make: Factories): Promise<Call> => {
  await make.posting();
  return { path: { id: 1 } };
};
const none: MakeCall = () => Promise.resolve({});
const withEmail = (_: Factories, example: Body): Body => ({ ...example, email: email() });
const withReference = (_: Factories, example: Body): Body => ({ ...example, reference: unique() });

/** Returns the calls of the endpoint routes that need a subscription. */
function endpointActionCalls(): Readonly<Record<string, MakeCall>> {
  const path = '/api/v1/notification_endpoints/{id}';
  const ofEndpoint = (make: Factories): Promise<Call> => idOf(make.endpoint({ topics: [{ type: 'POSTING_CREATE' }] }));
  return {
    [`POST ${path}/enable`]: ofEndpoint,
    [`POST ${path}/disable`]: ofEndpoint,
    [`POST ${path}/rotate_key`]: async (make, body) => ({ ...(await ofEndpoint(make)), body }),
    [`POST ${path}/ping`]: ofEndpoint,
    [`GET ${path}/messages`]: async (make) => ({ ...(await ofEndpoint(make)), query: 'after=0&per_page=2&wait=0' }),
    [`GET ${path}/stream`]: async (make) => ({ ...(await ofEndpoint(make)), query: 'after=0' }),
  };
}

const ofMember = async (make: Factories): Promise<Call> => {
  const member = await make.candidate();
  return { path: { id: (await make.selection({ members: [member] })).id, memberId: member.id } };
};
const MEMBERS = '/api/v1/selections/{id}/members';

/**
 * Maps an operation to a function that makes its call, for operations that need more than the example of the resource.
 */
const OWN_CALLS: Readonly<Record<string, MakeCall>> = {
  ...applicationCalls('/api/v1/vacancy_applications', application, (make) => make.vacancy()),
  ...applicationCalls('/api/v1/applications', application, (make) => make.vacancy()),
  ...applicationCalls(
    '/api/v1/event_applications',
    (make) => make.eventApplication(),
    (make) => make.event(),
  ),
  ...applicationCalls(
    '/api/v1/event_registrations',
    (make) => make.eventApplication(),
    (make) => make.event(),
  ),
  ...collection('/api/v1/candidates', { item: candidate, body: withEmail }),
  'PATCH /api/v1/candidates/{id}': async (make) => ({ ...(await idOf(candidate(make))), body: { email: email() } }),
  'POST /api/v1/candidates/activate': async (make) => ({ body: { token: await make.activationToken() } }),
  'POST /api/v1/candidates/{id}/resend_activation': (make) => idOf(candidate(make)),
  'POST /api/v1/candidates/{id}/anonymise': (make) => idOf(candidate(make)),
  ...history('/api/v1/candidates', candidate),
  ...collection('/api/v1/vacancies', { item: (make) => make.vacancy(), body: withReference }),
  ...stateMoves('/api/v1/vacancies/{id}/state', (make) => make.vacancy({ state: 'draft' })),
  ...history('/api/v1/vacancies', (make) => make.vacancy()),
  'POST /api/v1/vacancies/{id}/score': async (make, body) => ({ ...(await idOf(make.vacancy())), body }),
  'POST /api/v1/vacancies/{id}/scoring_rules/preview': async (make, body) => ({
    ...(await idOf(make.vacancy())),
    body,
  }),
  ...formValues('/api/v1/vacancies', { resource: 'vacancies', item: (make) => make.vacancy() }),
  ...collection('/api/v1/events', { item: (make) => make.event(), body: withReference }),
  ...stateMoves('/api/v1/events/{id}/state', (make) => make.event({ state: 'draft' })),
  ...history('/api/v1/events', (make) => make.event()),
  'POST /api/v1/events/{id}/score': async (make, body) => ({ ...(await idOf(make.event())), body }),
  'POST /api/v1/events/{id}/scoring_rules/preview': async (make, body) => ({ ...(await idOf(make.event())), body }),
  ...formValues('/api/v1/events', { resource: 'events', item: (make) => make.event(), isBulk: false }),
  ...collection('/api/v1/postings', {
    item: (make) => make.posting({ location: 'London' }),
    body: async (make, example) => ({
      ...example,
      vacancy_id: (await make.vacancy()).id,
      job_board_id: (await make.jobBoard()).id,
    }),
  }),
  ...history('/api/v1/postings', (make) => make.posting()),
  ...collection('/api/v1/documents', { item: (make) => make.document() }),
  'POST /api/v1/documents': () => Promise.resolve({ query: 'kind=cv&name=cv.json', body: { file: 'text' } }),
  'GET /api/v1/documents/{id}/link': (make) => idOf(make.document()),
  'GET /documents/{uuid}': (make) => make.documentLink(),
  ...collection('/api/v1/communications', { item: (make) => make.communication(), verbs: [] }),
  ...collection('/api/v1/message_templates', { item: (make) => make.messageTemplate() }),
  ...collection('/api/v1/forms', { item: (make) => make.form() }),
  'POST /api/v1/forms/{id}/conditions/preview': async (make, body) => ({ ...(await idOf(make.form())), body }),
  ...collection('/api/v1/layouts', { item: (make) => make.layout() }),
  'POST /api/v1/recruiters/{id}/anonymise': (make) => idOf(make.recruiter()),
  ...collection('/api/v1/recruiters', {
    item: (make) => make.recruiter(),
    body: withEmail,
    verbs: ['POST', 'PUT', 'PATCH'],
  }),
  ...collection('/api/v1/users', { item: candidate, body: withEmail, verbs: [] }),
  ...collection('/api/v1/credentials', {
    item: (make) => make.credential({ scopes: ['credentials:delete'] }),
    verbs: ['POST', 'DELETE'],
  }),
  'GET /api/v1/me': none,
  'GET /api/v1/changes': () => Promise.resolve({ query: 'since=now' }),
  'GET /api/v1/api/quick_search': async (make) => (
    await make.application({ candidate: { firstname: 'Quentin', lastname: 'Quick', email: email() } }),
    { query: 'q=quentin&limit=3' }
  ),
  'GET /api/v1/systems': none,
  'GET /api/v1/systems/counts': () => Promise.resolve({ query: 'by=id' }),
  'POST /api/v1/systems/query': () => Promise.resolve({ body: PAGE_BODY }),
  'GET /api/v1/systems/{id}': async (make) => ({ path: { id: ((await make.vacancy())['system'] as Item).id } }),
  'PATCH /api/v1/systems/{id}': () => Promise.resolve({ path: { id: 1 }, body: { name: 'Recruitment' } }),
  ...collection('/api/v1/notification_topics', { item: (make) => make.topic() }),
  'POST /api/v1/notification_topics/preview': (_, body) => Promise.resolve({ body }),
  'POST /api/v1/notification_topics/objects/preview': (_, body) => Promise.resolve({ body }),
  'GET /api/v1/notification_topics/{id}/explain': async (make) => {
    await make.posting();
    const { topic } = await make.subscription({
      topicId: (await make.topic({ type: 'POSTING_CREATE', expression: 'posting.id > 0 AND posting.title != "x"' })).id,
    });
    return { path: { id: (topic as Item).id }, query: 'event_id=1' };
  },
  [`GET ${SUBSCRIPTIONS}`]: async (make) => ({ path: (await ofSubscription(make)).path ?? {}, query: PAGE }),
  [`POST ${SUBSCRIPTIONS}/query`]: async (make) => ({ path: (await ofSubscription(make)).path ?? {}, body: PAGE_BODY }),
  [`POST ${SUBSCRIPTIONS}`]: async (make, body) => ({ path: { topicId: (await make.topic()).id }, body }),
  [`GET ${SUBSCRIPTIONS}/{id}`]: ofSubscription,
  [`PUT ${SUBSCRIPTIONS}/{id}`]: async (make, body) => ({ ...(await ofSubscription(make)), body }),
  [`PATCH ${SUBSCRIPTIONS}/{id}`]: async (make, body) => ({ ...(await ofSubscription(make)), body }),
  [`DELETE ${SUBSCRIPTIONS}/{id}`]: ofSubscription,
  [`POST ${SUBSCRIPTIONS}/{id}/enable`]: ofSubscription,
  [`POST ${SUBSCRIPTIONS}/{id}/disable`]: ofSubscription,
  [`POST ${SUBSCRIPTIONS}/{id}/rotate_key`]: async (make, body) => ({ ...(await ofSubscription(make)), body }),
  [`POST ${SUBSCRIPTIONS}/{id}/ping`]: ofSubscription,
  [`GET ${SUBSCRIPTIONS}/{id}/messages`]: async (make) => ({
    ...(await ofSubscription(make)),
    query: 'after=0&per_page=2',
  }),
  [`GET ${DELIVERIES}`]: async (make) => ({ ...(await ofDelivery(make)), query: `${PAGE}&status=due` }),
  [`POST ${DELIVERIES}/query`]: async (make) => ({
    ...(await ofDelivery(make)),
    body: { ...PAGE_BODY, status: 'due' },
  }),
  [`GET ${DELIVERIES}/{id}`]: ofDelivery,
  [`POST ${DELIVERIES}/{id}/redeliver`]: belowSubscription((make) => make.delivery()),
  [`POST ${BELOW_SUBSCRIPTION}/redeliver`]: async (make, body) => ({ ...(await ofRedelivery(make)), body }),
  [`GET ${BELOW_SUBSCRIPTION}/redeliveries`]: async (make) => ({ ...(await ofRedelivery(make)), query: PAGE }),
  [`POST ${BELOW_SUBSCRIPTION}/redeliveries/query`]: async (make) => ({
    ...(await ofRedelivery(make)),
    body: PAGE_BODY,
  }),
  [`GET ${BELOW_SUBSCRIPTION}/redeliveries/{id}`]: ofRedelivery,
  ...collection('/api/v1/client_certificates', {
    item: (make) => make.clientCertificate(),
    body: (_, example) => Promise.resolve({ ...example, ...pairOf('client.example.com') }),
  }),
  'PATCH /api/v1/client_certificates/{id}': async (make) => ({
    ...(await idOf(make.clientCertificate())),
    body: { name: 'Other' },
  }),
  ...endpointActionCalls(),
  'GET /api/v1/notification_endpoints/metrics': () =>
    Promise.resolve({ query: 'bucket=5m&since_dt=2026-01-01T00:00:00Z' }),
  'GET /api/v1/notification_endpoints/{id}/metrics': async (make) => ({
    ...(await idOf(make.endpoint())),
    query: 'bucket=5m&since_dt=2026-01-01T00:00:00Z',
  }),
  'GET /api/v1/notification_events': async (make) => (
    await ofEvent(make), { query: `${PAGE}&since_id=0&type=POSTING_CREATE` }
  ),
  'POST /api/v1/notification_events/query': async (make) => (
    await ofEvent(make), { body: { ...PAGE_BODY, since_id: 0, type: 'POSTING_CREATE' } }
  ),
  'GET /api/v1/notification_events/{id}': ofEvent,
  ...collection('/api/v1/audit_entries', { item: (make) => make.auditEntry(), verbs: [] }),
  // Groups by `action`, which has few values. In a long test, the datapath of the documented example can have more
  // values than the maximum number of groups.
  'GET /api/v1/audit_entries/counts': () => Promise.resolve({ query: 'by=action' }),
  ...collection('/api/v1/saved_searches', { item: (make) => make.savedSearch({ search: ['/lastname=x'] }) }),
  ...collection('/api/v1/config_searches', { item: (make) => make.configSearch({ filter: 'x' }) }),
  ...collection('/api/v1/selections', { item: (make) => make.selection() }),
  [`GET ${MEMBERS}`]: async (make) => ({ path: { id: (await ofMember(make)).path?.['id'] ?? 0 }, query: PAGE }),
  [`POST ${MEMBERS}/query`]: async (make) => ({
    path: { id: (await ofMember(make)).path?.['id'] ?? 0 },
    body: PAGE_BODY,
  }),
  [`PUT ${MEMBERS}`]: async (make) => ({
    path: { id: (await make.selection()).id },
    body: { ids: [(await make.candidate()).id] },
  }),
  [`PUT ${MEMBERS}/{memberId}`]: ofMember,
  [`DELETE ${MEMBERS}/{memberId}`]: ofMember,
  'GET /api/v1/datapaths': none,
  'GET /api/v1/event_types': none,
  'GET /api/v1/processes': none,
  'GET /api/v1/processes/{id}': () => Promise.resolve({ path: { id: '1' } }),
  'GET /api/v1/schemas': none,
  'GET /api/v1/scopes': none,
  'GET /api/v1/schemas/{resource}': () => Promise.resolve({ path: { resource: 'applications' } }),
  'GET /openapi.json': none,
  'GET /activate': () => Promise.resolve({ query: 'token=x' }),
  'POST /activate': async (make) => ({ body: { token: await make.activationToken() } }),
  'GET /.well-known/oauth-authorization-server': none,
  'POST /oauth/token': async (make, body) => {
    const { key_id, token } = await make.credential({ scopes: ['vacancies:read', 'applications:create'] });
    return { body: { ...body, client_id: key_id, client_secret: token } };
  },
  ...publicBoardCalls(),
  'GET /health/live': none,
  'GET /health/ready': none,
  'GET /health/serving': none,
  'GET /metrics': none,
};

/** Returns the calls that read and write a resource. They are derived from the example of the resource. */
const plainCalls = (resource: Resource): readonly Record<string, MakeCall>[] =>
  resource.paths.map((path) =>
    collection(`/api/v1/${path}`, {
      item: (make) => make.item(resource),
      body: (_, example) => ({ ...example, ...uniqueProperties(resource) }),
    }),
  );

/** True for a resource without calls in `OWN_CALLS`. */
const isPlain = ({ paths, ownerColumn }: Resource): boolean =>
  ownerColumn === undefined && paths.every((path) => !OWN_CALLS[`GET /api/v1/${path}`]);

/** Maps each operation to a function that makes a valid call. */
export const CALLS: Readonly<Record<string, MakeCall>> = Object.assign(
  {},
  OWN_CALLS,
  ...allResources().filter(isPlain).flatMap(plainCalls),
) as Record<string, MakeCall>;

/** Returns the path and the query of a call. */
export function addressOf(path: string, { path: values = {}, query }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
  return query ? `${filled}?${query}` : filled;
}
