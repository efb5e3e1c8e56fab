import { type AuditEntry, insertEntries, type Resource } from '@ats/domain';
import { activationTokenOf } from './activation-token.js';
import { type Answer, type Item } from './answer.js';
import { type Api, type RequestOptions } from './api-harness.js';
import { pairOf } from './certificate-pair.js';
import { nextNumber, uniqueProperties } from './unique-properties.js';

type Properties = Readonly<Record<string, unknown>>;

/**
 * Creates items through the API. A test passes only the properties that matter to it. All others have defaults, and
 * related items are created when they are needed.
 */
export class Factories {
  constructor(private readonly api: Api) {}

  /** Creates an item from the example in its resource's description. */
  item(resource: Resource, properties: Properties = {}): Promise<Item> {
    if (resource.name === 'documents') return this.document();
    const example = resource.describe.example;
    if (!example) throw new Error(`the description of ${resource.name} has no example`);
    return this.create(`/${resource.paths[0]}`, { ...example, ...uniqueProperties(resource), ...properties });
  }

  /** Uploads a document. */
  async document({ content = 'text', kind = 'cv', name = 'cv.txt' } = {}, options?: RequestOptions): Promise<Item> {
    const query = new URLSearchParams({ kind, name });
    const headers = { 'content-type': 'application/octet-stream' };
    return expectStatus(
      201,
      await this.api.request('POST', `/api/v1/documents?${query.toString()}`, {
        headers,
        payload: content,
        ...options,
      }),
    ).item;
  }

  /** Uploads a document of unknown type. Returns the path and the query of a link to the document. */
  async documentLink(): Promise<{ readonly path: Readonly<Record<string, string>>; readonly query: string }> {
    const { id, uuid } = await this.document({ content: 'a\u0000b' });
    const { url } = expectStatus(200, await this.api.get(`/documents/${id}/link`)).item;
    return { path: { uuid: String(uuid) }, query: new URL(url).search.slice(1) };
  }

  candidate(properties: Properties = {}): Promise<Item> {
    return this.create('/candidates', {
      firstname: 'Ada',
      lastname: 'Byron',
      email: `person${nextNumber()}@example.com`,
      ...properties,
    });
  }

  /** Creates a candidate. Returns the token of its activation link. */
  async activationToken(): Promise<string> {
    return activationTokenOf(this.api.database, await this.candidate());
  }

  /** Creates a vacancy, by default in the state `open`. */
  async vacancy({ state = 'open', ...properties }: Properties & { readonly state?: string } = {}): Promise<Item> {
    return this.inState(state, await this.create('/vacancies', { title: 'Engineer', ...properties }));
  }

  /** Creates an event, by default in the state `open`. */
  async event({ state = 'open', ...properties }: Properties & { readonly state?: string } = {}): Promise<Item> {
    const times = { start_dt: '2030-05-01T09:00:00.000Z', end_dt: '2030-05-01T17:00:00.000Z' };
    return this.inState(state, await this.create('/events', { title: 'Open day', ...times, ...properties }));
  }

  async application(properties: Properties = {}): Promise<Item> {
    return this.create('/vacancy_applications', await this.withTarget(properties, () => this.vacancy()));
  }

  async eventApplication(properties: Properties = {}): Promise<Item> {
    return this.create('/event_applications', await this.withTarget(properties, () => this.event()));
  }

  recruiter(properties: Properties = {}): Promise<Item> {
    return this.create('/recruiters', {
      firstname: 'Grace',
      lastname: 'Hopper',
      email: `recruiter${nextNumber()}@example.com`,
      ...properties,
    });
  }

  jobBoard(properties: Properties = {}): Promise<Item> {
    return this.create('/job_boards', { name: 'Board', code: `board-${nextNumber()}`, ...properties });
  }

  /** Creates a form, by default for applications and with one optional text item. */
  form(properties: Properties = {}): Promise<Item> {
    const sections = [{ name: 'Section', items: [{ key: 'answer', label: 'Answer', type: 'text' }] }];
    return this.create('/forms', { name: 'Form', resource: 'applications', sections, ...properties });
  }

  /** Writes form values of an item, and returns the item. */
  async formValues(item: Item, form_values: readonly Properties[]): Promise<Item> {
    expectStatus(200, await this.api.post(`${below(item.url)}/form_values`, { form_values }));
    return item;
  }

  async posting(properties: Properties = {}): Promise<Item> {
    return this.create('/postings', {
      ...properties,
      vacancy_id: properties['vacancy_id'] ?? (await this.vacancy()).id,
      job_board_id: properties['job_board_id'] ?? (await this.jobBoard()).id,
    });
  }

  /** Creates a layout, by default for applications and with one column. */
  layout(properties: Properties = {}): Promise<Item> {
    return this.create('/layouts', {
      name: 'Layout',
      resource: 'applications',
      columns: [{ title: 'Reference', datapath: 'application.reference' }],
      ...properties,
    });
  }

  /** Creates a message template, by default with one placeholder. */
  messageTemplate(properties: Properties = {}, options?: RequestOptions): Promise<Item> {
    return this.create(
      '/message_templates',
      { name: 'Template', subject: 'Hello', body: '<p>Dear {{ application.user.firstname }}</p>', ...properties },
      options,
    );
  }

  /** Creates a communication, by default an e-mail. By default, it belongs to a new application to a vacancy. */
  async communication({
    application,
    ...properties
  }: Properties & { readonly application?: Item } = {}): Promise<Item> {
    const { url } = application ?? (await this.application());
    const text = 'template_id' in properties ? {} : { subject: 'Hello', body: '<p>Text</p>' };
    return this.create(`${below(url)}/comms`, { ...text, ...properties });
  }

  topic(properties: Properties = {}): Promise<Item> {
    return this.create('/notification_topics', { type: 'STATE_CHANGE_APPLICATION', name: 'Topic', ...properties });
  }

  async subscription({ topicId, ...properties }: Properties & { readonly topicId?: number } = {}): Promise<Item> {
    return this.create(`/notification_topics/${topicId ?? (await this.topic()).id}/subscriptions`, {
      destination_url: 'https://receiver.example.com/',
      ...properties,
    });
  }

  clientCertificate(properties: Properties = {}): Promise<Item> {
    return this.create('/client_certificates', { name: 'Bank', ...pairOf('client.example.com'), ...properties });
  }

  endpoint(properties: Properties = {}): Promise<Item> {
    const destination_url = 'https://receiver.example.com/';
    return this.create('/notification_endpoints', { name: 'Endpoint', destination_url, ...properties });
  }

  /** Returns the endpoint of a subscription. The subscription defaults to a new one. */
  async endpointOf(subscription?: Item): Promise<Item> {
    const { id } = subscription ?? (await this.subscription());
    const query = 'SELECT endpoint_id FROM notification_subscriptions WHERE id = $1';
    const [row] = await this.api.database.query<{ readonly endpoint_id: number }>(query, [id]);
    return expectStatus(200, await this.api.get(`/notification_endpoints/${row?.endpoint_id ?? 0}`)).item;
  }

  /** Requests a test message. Returns its delivery. The subscription defaults to a new one. */
  async ping(subscription?: Item): Promise<Item> {
    const { url } = subscription ?? (await this.subscription());
    return expectStatus(202, await this.api.post(`${below(url)}/ping`)).item;
  }

  /**
   * Inserts a delivery with the given columns. No notifier runs beside the API's tests, so nothing else creates it. The
   * subscription defaults to a new one.
   */
  async delivery({
    subscription,
    ...columns
  }: {
    readonly subscription?: Item;
    readonly [column: string]: unknown;
  } = {}): Promise<Item> {
    const { id, url } = subscription ?? (await this.subscription());
    const given = Object.entries({
      occurred_dt: new Date().toISOString(),
      subject_id: 7,
      status: 'delivered',
      body: '{"a":"é /"}',
      ...columns,
    });
    const [row] = await this.api.database.query<{ id: number }>(
      `WITH s AS (UPDATE notification_subscriptions SET last_sequence = last_sequence + 1 WHERE id = $1 RETURNING *)
       INSERT INTO notification_deliveries
         (event_id, subscription_id, topic_id, topic_revision, subject_type, message_id, sequence,
          ${given.map(([name]) => name).join(', ')})
       SELECT last_sequence, id, topic_id, 1, 'application', gen_random_uuid(), last_sequence,
         ${given.map((_, index) => `$${index + 2}`).join(', ')}
       FROM s
       RETURNING id`,
      [id, ...given.map(([, value]) => value)],
    );
    return expectStatus(200, await this.api.get(`${below(url)}/deliveries/${row?.id ?? 0}`)).item;
  }

  /** Requests a redelivery of all messages since the beginning of 2026. The subscription defaults to a new one. */
  async redelivery(subscription?: Item): Promise<Item> {
    const { url } = subscription ?? (await this.subscription());
    return expectStatus(202, await this.api.post(`${below(url)}/redeliver`, { since_dt: '2026-01-01T00:00:00Z' })).item;
  }

  savedSearch(properties: Properties = {}, options?: RequestOptions): Promise<Item> {
    return this.create('/saved_searches', { name: 'Search', resource: 'candidates', ...properties }, options);
  }

  configSearch(properties: Properties = {}): Promise<Item> {
    return this.create('/config_searches', { name: 'Search', resource: 'candidates', ...properties });
  }

  /** Creates a selection, by default of candidates and without members. */
  async selection({
    members = [],
    ...properties
  }: Properties & { readonly members?: readonly Item[] } = {}): Promise<Item> {
    const { id } = await this.create('/selections', { name: 'Selection', resource: 'candidates', ...properties });
    return expectStatus(
      200,
      await this.api.put(`/selections/${id}/members`, { ids: members.map((member) => member.id) }),
    ).item;
  }

  /** Adds an audit entry which says that another client has read candidates. */
  async auditEntry(entry: Partial<AuditEntry> = {}): Promise<Item> {
    const client = { credentialId: 1, recruiterId: 1, address: '198.51.100.7', requestId: 'request-of-a-reader' };
    const read = { action: 'personal_data_read', collection: 'candidates', itemIds: [4, 7] } as const;
    const added = { ...client, ...read, occurredAt: new Date(), ...entry };
    const { text, parameters } = insertEntries([added]);
    await this.api.database.query(text, parameters);
    const find = 'SELECT max(id) AS id FROM audit_entries WHERE request_id = $1';
    const [row] = await this.api.database.query<{ id: number }>(find, [added.requestId]);
    return expectStatus(200, await this.api.get(`/audit_entries/${row?.id ?? 0}`)).item;
  }

  /** Creates a credential. By default, it may read everything. */
  async credential(properties: Properties = {}): Promise<Item & { readonly token: string }> {
    return (await this.create('/credentials', { name: 'Integration', scopes: ['*:read'], ...properties })) as Item & {
      readonly token: string;
    };
  }

  /** Creates a credential that has exactly these scopes. Returns its token. */
  async token(...scopes: readonly string[]): Promise<string> {
    return (await this.credential({ scopes })).token;
  }

  /** Returns the token of a credential without scopes. The API itself cannot create such a credential. */
  async scopelessToken(): Promise<string> {
    const { id, token } = await this.credential();
    await this.api.database.query(`UPDATE credentials SET scopes = '{}' WHERE id = $1`, [id]);
    return token;
  }

  /** Sets the state of an opportunity or application in the database, without a move, history entry or event. */
  async inState(state: string, item: Item): Promise<Item> {
    const table = 'app_type' in item ? 'applications' : 'opportunities';
    const ofItsProcess = '(SELECT s.process_id FROM states s WHERE s.id = t.state_id)';
    const moved = await this.api.database.query(
      `UPDATE ${table} t SET state_id = (SELECT id FROM states WHERE state = $2 AND process_id = ${ofItsProcess})
       WHERE t.id = $1 RETURNING id`,
      [item.id, state],
    );
    if (moved.length === 0) throw new Error(`${table} has no item ${item.id}`);
    return item;
  }

  private async create(path: string, body: Properties, options?: RequestOptions): Promise<Item> {
    return expectStatus(201, await this.api.post(path, body, options)).item;
  }

  private async withTarget(properties: Properties, makeOpportunity: () => Promise<Item>): Promise<Properties> {
    const hasPerson = 'user_id' in properties || 'candidate' in properties;
    return {
      ...properties,
      opportunity_id: properties['opportunity_id'] ?? (await makeOpportunity()).id,
      ...(!hasPerson && { user_id: (await this.candidate()).id }),
    };
  }
}

/** Returns the part of a URL after `/api/v1`. */
export const below = (url: string): string => url.slice(url.indexOf('/api/v1') + '/api/v1'.length);

/** Returns the answer if it has the status. Otherwise throws an error with the text of the answer. */
export function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status === status) return answer;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
}
