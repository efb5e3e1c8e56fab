import { collectionNames } from '@ats/domain';
import { type Item } from '../support/answer.js';
import { type Api, type RequestOptions } from '../support/api-harness.js';
import { pairOf } from '../support/certificate-pair.js';
import { below, expectStatus, type Factories } from '../support/factories.js';
import { itemIdsOf, ITEM_TYPES } from '../support/form-factories.js';
import { makeMissingItems } from '../support/missing-items.js';
import { bodyOf, expanded, type OpenApiDocument, operationsOf } from '../support/openapi-document.js';
import { type Readers } from './allowed-readers.js';
import { canaryBody, futureDay, number, type OwnValues, pastDay, word } from './canaries.js';

/** The collections whose items have form values. */
const FORM_OWNERS = ['applications', 'event_applications', 'vacancies', 'events'];
const COMMS = '/vacancy_applications/{id}/comms';
const SUBSCRIPTIONS = '/notification_topics/{topicId}/subscriptions';

/**
 * Fills a database through the API, with at least one item of each kind. Every value that clients can write and that is
 * not limited to a list is a canary. The tests themselves write the values of logs.
 */
export class CanaryWorld {
  /** Paths of all items, below `/api/v1`. */
  readonly paths: string[] = [];
  /** Ids of all items of forms. */
  readonly formItems: number[] = [];
  /** Maps a key or token to the scopes that show it. */
  readonly secrets = new Map<string, Readers>();

  constructor(
    private readonly api: Api,
    private readonly make: Factories,
    private readonly document: OpenApiDocument,
  ) {}

  async fill(): Promise<void> {
    const recruiter = await this.#create('/recruiters', { is_active: true });
    const board = await this.#create('/job_boards', { is_active: true });
    const vacancy = await this.#opportunity('/vacancies', recruiter);
    const event = await this.#opportunity('/events', recruiter);
    const candidate = await this.#create('/candidates', { date_of_birth: pastDay() });
    const dates = { opening_date: pastDay(), closing_date: futureDay(), is_withdrawn: false };
    const posting = await this.#create('/postings', { vacancy_id: vacancy.id, job_board_id: board.id, ...dates });
    const forms = await this.#forms();
    await this.#notifications();
    const document = await this.make.document({ name: word() });
    this.paths.push(below(document.url));
    const applications = [
      await this.#application('/vacancy_applications', {
        document_ids: [document.id],
        user_id: candidate.id,
        opportunity_id: vacancy.id,
        posting_id: posting.id,
      }),
      await this.#application('/event_applications', { user_id: candidate.id, opportunity_id: event.id }),
    ];
    const owners = [...applications, vacancy, event];
    for (const [index, item] of owners.entries()) await this.#formValues(item, forms[index] as Item);
    await this.#changes([candidate, posting, ...owners]);
    await this.#messages(applications);
    await this.#views(candidate, recruiter);
    await this.#system();
    await this.#create('/credentials', {
      scopes: ['*:read'],
      expires_dt: `${futureDay()}T09:00:00.000Z`,
      allowed_cidrs: undefined,
    });
    await this.make.auditEntry({ requestId: word(), address: '198.51.100.7', collection: 'candidates' });
    this.secrets.set(await this.make.activationToken(), []);
    this.paths.push(
      '/processes/1',
      '/systems/1',
      '/notification_events/1',
      '/audit_entries/1',
      `/users/${candidate.id}`,
    );
    this.paths.push(...collectionNames().map((name) => `/schemas/${name}`));
    await makeMissingItems(this.api, ({ paths }) => this.#create(`/${paths[0]}`, {}));
  }

  /** Makes the body of an operation. Its values are canaries. */
  #body(operation: string, own: OwnValues): Readonly<Record<string, unknown>> {
    const found = operationsOf(this.document).find(({ name }) => name === operation);
    const { $ref = '' } = ((found && bodyOf(found)?.schema) ?? {}) as { readonly $ref?: string };
    const schema = this.document.components.schemas[$ref.split('/').at(-1) ?? ''];
    if (!schema) throw new Error(`the operation ${operation} has no request body in the OpenAPI document`);
    return canaryBody(expanded(this.document, schema), own);
  }

  /**
   * Creates an item.
   * @param template  the path in the document, when it differs
   */
  async #create(
    path: string,
    own: OwnValues,
    { template = path, ...options }: RequestOptions & { readonly template?: string } = {},
  ): Promise<Item> {
    const body = this.#body(`POST /api/v1${template}`, own);
    const { item } = expectStatus(201, await this.api.post(path, body, options));
    this.paths.push(below(item.url));
    return item;
  }

  #opportunity(path: string, { id }: Item): Promise<Item> {
    const start_dt = `${futureDay()}T09:00:00.000Z`;
    const scoring_rules = [{ expression: `application.source != "${word()}"`, points: number() }];
    return this.#create(path, {
      owner_id: id,
      salary_currency: 'EUR',
      scoring_rules,
      start_dt,
      end_dt: `${futureDay()}T09:00:00.000Z`,
    }).then((item) => this.make.inState('open', item));
  }

  async #application(path: string, own: OwnValues): Promise<Item> {
    const item = await this.#create(path, {
      rating: 5,
      candidate: undefined,
      form_values: undefined,
      on_existing_candidate: undefined,
      posting_id: undefined,
      ...own,
    });
    expectStatus(200, await this.api.post(`${below(item.url)}/score`, {}));
    return item;
  }

  /** Creates a form for each kind of owner. It has an item of each type. */
  async #forms(): Promise<readonly Item[]> {
    const forms: Item[] = [];
    for (const resource of FORM_OWNERS) {
      const items = ITEM_TYPES.map((type) => ({
        key: word(),
        label: word(),
        type,
        visible_if: `${ROOTS[resource]}.reference != "${word()}"`,
        ...(type.endsWith('select') && { options: [{ value: word(), label: word() }] }),
        ...(type === 'text' && { validation: { pattern: `[a-z]*|${word()}` } }),
      }));
      forms.push(await this.#create('/forms', { resource, sections: [{ name: word(), repeatable: true, items }] }));
    }
    return forms;
  }

  async #formValues(item: Item, form: Item): Promise<void> {
    const ids = itemIdsOf(form);
    this.formItems.push(...Object.values(ids));
    const sections = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const form_values = sections
      .flatMap(({ items }) => items)
      .map(({ key, type, options }) => {
        const [option] = (options ?? []) as readonly { readonly value: string }[];
        const values: Readonly<Record<string, unknown>> = {
          integer: number(),
          decimal: number(),
          boolean: true,
          date: futureDay(),
          datetime: `${futureDay()}T09:00:00.000Z`,
          single_select: option?.value,
          multi_select: [option?.value],
          email: `${word()}@example.com`,
          phone: `+44 ${number()}`,
        };
        return { item_id: ids[String(key)], value: values[String(type)] ?? word() };
      });
    await this.make.formValues(item, form_values);
  }

  async #messages(applications: readonly Item[]): Promise<void> {
    await this.#create('/message_templates', { subject: word(), body: `<p>${word()}</p>` });
    for (const { url } of applications)
      await this.#create(`${below(url)}/comms`, { template_id: undefined }, { template: COMMS });
  }

  async #views(candidate: Item, recruiter: Item): Promise<void> {
    const search = () => ({
      resource: 'candidates',
      search: [`/lastname!=${word()}`],
      where: `candidate.lastname != "${word()}"`,
      sort: ['lastname!asc'],
    });
    const other = await this.make.credential({ scopes: ['*:read', '*:write'], recruiter_id: recruiter.id });
    this.secrets.set(other.token, []);
    await this.#create('/config_searches', search());
    await this.#create('/saved_searches', { ...search(), is_shared: true });
    await this.#create('/saved_searches', { ...search(), is_shared: false }, { token: other.token });
    const { id } = await this.#create('/selections', { resource: 'candidates' });
    expectStatus(200, await this.api.put(`/selections/${id}/members`, { ids: [candidate.id] }));
    this.paths.push(`/selections/${id}/members/${candidate.id}`);
    await this.#create('/layouts', {
      resource: 'candidates',
      columns: [{ title: word(), datapath: 'candidate.source' }],
    });
  }

  async #notifications(): Promise<void> {
    await this.#create('/client_certificates', { owner_id: undefined, ...pairOf('client.example.com') });
    this.#keep(await this.#create('/notification_endpoints', { owner_id: undefined, topics: undefined }));
    const topics = [
      { type: 'STATE_CHANGE_APPLICATION', expression: `application.candidate.title != "${word()}"` },
      { type: 'STATE_CHANGE_APPLICATION', expression: `application.source != "${word()}"` },
    ];
    for (const own of topics) {
      const { id } = await this.#create('/notification_topics', { ...own, owner_id: undefined });
      const path = `/notification_topics/${id}/subscriptions`;
      // The first subscription is active. Its messages can therefore be redelivered.
      const start = own === topics[0] ? { start_dt: undefined } : {};
      const subscription = await this.#create(
        path,
        { owner_id: undefined, endpoint_id: undefined, ...start },
        { template: SUBSCRIPTIONS },
      );
      this.#keep(subscription);
      const delivery = await this.make.delivery({ subscription, request_id: word() });
      const ping = await this.make.ping(subscription);
      const redelivery = await this.make.redelivery(subscription);
      const endpoint = await this.make.endpointOf(subscription);
      this.paths.push(...[delivery, ping, redelivery, endpoint].map(({ url }) => below(url)));
      await this.api.database.query(
        `INSERT INTO notification_attempts
           (occurred_dt, delivery_id, attempt, reason, state, url, response_excerpt, response_headers, worker)
         SELECT occurred_dt, id, 1, 'auto', 'done', $2, $3, jsonb_build_object('x-answer', $4::text), 'worker'
         FROM notification_deliveries WHERE id = $1`,
        [delivery.id, `https://${word()}.example.com/`, word(), word()],
      );
    }
  }

  /** Remembers the keys of an item. */
  #keep(item: Item): void {
    for (const name of ['signing_key', 'standard_webhooks_secret'])
      this.secrets.set(String(item[name]), [['notifications:read', 'notifications:admin']]);
  }

  /** Replaces every text of the items, so that only history has the former values. Then moves states. */
  async #changes(items: readonly Item[]): Promise<void> {
    for (const { url } of items) {
      const [collection = ''] = below(url).slice(1).split('/');
      const { title, ...body } = this.#body(`PATCH /api/v1/${collection}/{id}`, CHANGE);
      const texts = Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'));
      const text = title === undefined ? texts : { ...texts, title };
      expectStatus(200, await this.api.request('PATCH', `/api/v1${below(url)}`, { body: text }));
    }
    for (const { url } of items) {
      const state = MOVES[below(url).split('/')[1] ?? ''];
      if (state)
        expectStatus(200, await this.api.put(`${below(url)}/${state[0]}`, { state: state[1], comment: word() }));
    }
  }

  async #system(): Promise<void> {
    const body = this.#body('PATCH /api/v1/systems/{id}', {
      timezone: 'UTC',
      domain: `${word()}.example.com`,
      candidate_retention_days: undefined,
      retention_notice_days: undefined,
    });
    expectStatus(200, await this.api.request('PATCH', '/api/v1/systems/1', { body }));
  }
}

const ROOTS: Readonly<Record<string, string>> = {
  applications: 'application',
  event_applications: 'application',
  vacancies: 'vacancy',
  events: 'event',
};

/** Properties that can be changed only under conditions. */
const CHANGE: OwnValues = {
  opening_date: undefined,
  closing_date: undefined,
  date_of_birth: undefined,
  start_dt: undefined,
  end_dt: undefined,
  salary_currency: undefined,
  method: undefined,
  scoring_rules: undefined,
  candidate: undefined,
  form_values: undefined,
};
const MOVES: Readonly<Record<string, readonly [path: string, state: string]>> = {
  vacancy_applications: ['process_state', 'in_review'],
  event_applications: ['process_state', 'confirmed'],
  vacancies: ['state', 'on_hold'],
  events: ['state', 'on_hold'],
};
