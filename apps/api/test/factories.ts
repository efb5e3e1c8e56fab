import { type Resource } from '@ats/domain';
import { activationTokenOf } from './activation-token.js';
import { type Answer, type Item } from './answer.js';
import { type Api, type RequestOptions } from './api-harness.js';

type Properties = Readonly<Record<string, unknown>>;

let lastNumber = 0;
/** Different at each call within a spec file. */
const next = (): number => ++lastNumber;

/** Values for the properties of a resource that no two items may share. */
export const uniqueProperties = ({ type }: Resource): Properties =>
  Object.fromEntries(
    Object.values(type.uniques).map((pointer) => {
      const name = pointer.slice(1);
      const text = `unique-${next()}`;
      return [name, type.attributes[name]?.format === 'email' ? `${text}@example.com` : text];
    }),
  );

/** Makes things through the API itself. Each takes only what the test is about; the rest is made up, and made with it. */
export class Factories {
  constructor(private readonly api: Api) {}

  /** An item of a resource, from the example of its description. */
  item(resource: Resource, properties: Properties = {}): Promise<Item> {
    const example = resource.describe.example;
    if (!example) throw new Error(`the description of ${resource.name} has no example`);
    return this.create(`/${resource.paths[0]}`, { ...example, ...uniqueProperties(resource), ...properties });
  }

  candidate(properties: Properties = {}): Promise<Item> {
    return this.create('/candidates', {
      firstname: 'Ada',
      lastname: 'Byron',
      email: `person${next()}@example.com`,
      ...properties,
    });
  }

  /** What the link says that a new candidate is sent. */
  async activationToken(): Promise<string> {
    return activationTokenOf(this.api.database, await this.candidate());
  }

  /** Open unless told. */
  async vacancy({ state = 'open', ...properties }: Properties & { readonly state?: string } = {}): Promise<Item> {
    return this.inState(state, await this.create('/vacancies', { title: 'Engineer', ...properties }));
  }

  /** Open unless told. */
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
      email: `recruiter${next()}@example.com`,
      ...properties,
    });
  }

  jobBoard(properties: Properties = {}): Promise<Item> {
    return this.create('/job_boards', { name: 'Board', code: `board-${next()}`, ...properties });
  }

  /** With one optional text unless told. */
  form(properties: Properties = {}): Promise<Item> {
    const sections = [{ name: 'Section', items: [{ key: 'answer', label: 'Answer', type: 'text' }] }];
    return this.create('/forms', { name: 'Form', resource: 'applications', sections, ...properties });
  }

  /** Answers of an item to forms. @returns the item */
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

  /** Of applications, with one column unless told. */
  layout(properties: Properties = {}): Promise<Item> {
    return this.create('/layouts', {
      name: 'Layout',
      resource: 'applications',
      columns: [{ title: 'Reference', datapath: 'application.reference' }],
      ...properties,
    });
  }

  /** With one placeholder unless told. */
  messageTemplate(properties: Properties = {}, options?: RequestOptions): Promise<Item> {
    return this.create(
      '/message_templates',
      { name: 'Template', subject: 'Hello', body: '<p>Dear {{ application.user.firstname }}</p>', ...properties },
      options,
    );
  }

  /** An e-mail about an application, a new one to a vacancy unless told. */
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

  /** The delivery of a test message to a subscription, a new one unless told. */
  async ping(subscription?: Item): Promise<Item> {
    const { url } = subscription ?? (await this.subscription());
    return expectStatus(202, await this.api.post(`${below(url)}/ping`)).item;
  }

  /** A message as matching makes it, of a new subscription unless told, with these columns: the notifier is no part of these tests. */
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
         (event_id, subscription_id, topic_id, topic_revision, subject_type, message_id, sequence, ${given.map(([name]) => name).join(', ')})
       SELECT last_sequence, id, topic_id, 1, 'application', gen_random_uuid(), last_sequence, ${given.map((_, index) => `$${index + 2}`).join(', ')} FROM s
       RETURNING id`,
      [id, ...given.map(([, value]) => value)],
    );
    return expectStatus(200, await this.api.get(`${below(url)}/deliveries/${row?.id ?? 0}`)).item;
  }

  /** Everything once more, of a new subscription unless told. */
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

  /** Of candidates unless told. */
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

  /** A credential; its token is in `token`. */
  async credential(properties: Properties = {}): Promise<Item & { readonly token: string }> {
    return (await this.create('/credentials', { name: 'Integration', scopes: ['*:read'], ...properties })) as Item & {
      readonly token: string;
    };
  }

  /** The token of a credential with these scopes. */
  async token(...scopes: readonly string[]): Promise<string> {
    return (await this.credential({ scopes })).token;
  }

  /** The token of a credential that may do nothing; the API gives none. */
  async scopelessToken(): Promise<string> {
    const { id, token } = await this.credential();
    await this.api.database.query(`UPDATE credentials SET scopes = '{}' WHERE id = $1`, [id]);
    return token;
  }

  /** Puts an opportunity or an application into a state that it has not moved to: no history, no event. */
  async inState(state: string, item: Item): Promise<Item> {
    const table = 'app_type' in item ? 'applications' : 'opportunities';
    const ofItsProcess = '(SELECT s.process_id FROM states s WHERE s.id = t.state_id)';
    const moved = await this.api.database.query(
      `UPDATE ${table} t SET state_id = (SELECT id FROM states WHERE state = $2 AND process_id = ${ofItsProcess}) WHERE t.id = $1 RETURNING id`,
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

/** The path of an address, below the prefix of the API. */
export const below = (url: string): string => url.slice(url.indexOf('/api/v1') + '/api/v1'.length);

/** Stops a test whose ground is not what it takes it to be, and says what the API said. */
export function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status === status) return answer;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
}
