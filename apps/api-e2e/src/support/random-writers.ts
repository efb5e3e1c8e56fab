import { type ApiClient, type Item } from './api-client.js';

const WRITERS = 3;
/** The collections that the writers change. */
export const WRITTEN = [
  ...(['candidates', 'recruiters', 'vacancies', 'events', 'postings', 'job_boards', 'applications'] as const),
  ...(['event_applications', 'forms', 'documents', 'selections', 'layouts', 'message_templates'] as const),
];
type Collection = (typeof WRITTEN)[number];
/** A function that sends one request. */
type Request = () => Promise<unknown>;

let serial = 0;
const unique = (): string => `${Date.now()}-${(serial += 1)}`;
const person = (): object => ({
  firstname: 'Xanthippe',
  lastname: 'Vandersloot',
  email: `x.${unique()}@example.com`,
});

/** Clients that send random writes at the same time. The service may refuse some of these writes. */
export class RandomWriters {
  readonly #statuses = new Map<number, number>();
  /** The ids of a form and of its item. The writers set values of the item, and never delete the form. */
  #form = { id: 0, item: 0 };

  constructor(
    private readonly client: ApiClient,
    private readonly random: () => number,
  ) {}

  async prepare(): Promise<void> {
    const form = await this.#create('forms');
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    this.#form = { id: form.id, item: section?.items[0]?.id ?? 0 };
    for (const collection of WRITTEN) {
      const item = await this.#create(collection);
      if (!item.id) throw new Error(`${collection}: ${JSON.stringify(item)}`);
    }
  }

  /** Sends at least `count` writes, and goes on until `isEnough` answers true. */
  async write(count: number, isEnough: () => boolean): Promise<void> {
    const writer = async (): Promise<void> => {
      for (let sent = 0; sent < count / WRITERS || !isEnough(); sent += 1) await this.#write();
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
  }

  /** Returns the number of answers with each status. */
  toString(): string {
    return [...this.#statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  }

  #pick<T>(choices: readonly T[]): T | undefined {
    return choices[Math.floor(this.random() * choices.length)];
  }

  async #send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Item> {
    return this.#itemOf(`${method} ${path}`, await this.client.request(method, path, body));
  }

  /** Counts the answer to a write. @throws {Error} when the answer shows an error of the service */
  async #itemOf(request: string, response: Response): Promise<Item> {
    this.#statuses.set(response.status, (this.#statuses.get(response.status) ?? 0) + 1);
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${request}: ${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Item;
  }

  async #write(): Promise<void> {
    const collection = this.#pick(WRITTEN) ?? 'applications';
    if (this.random() < 0.2) return void (await this.#create(collection));
    const items = await this.client.get<readonly Item[]>(`/${collection}?per_page=1000&sort=id!desc`);
    const item = this.#pick(items.filter(({ id }) => collection !== 'forms' || id !== this.#form.id).slice(0, 20));
    if (item) await this.#pick(this.#writesOf(collection, item))?.();
  }

  async #create(collection: Collection): Promise<Item> {
    const create = (body: object): Promise<Item> => this.#send('POST', `/${collection}`, body);
    const makers: Readonly<Record<Collection, () => Promise<Item>>> = {
      candidates: () => create(person()),
      recruiters: () => create(person()),
      vacancies: async () => this.#open('vacancies', await create({ title: `Vacancy ${unique()}` })),
      events: async () => {
        const times = { start_dt: '2050-05-01T09:00:00Z', end_dt: '2050-05-01T17:00:00Z' };
        return this.#open('events', await create({ title: `Event ${unique()}`, ...times }));
      },
      job_boards: () => create({ name: 'Board', code: `board-${unique()}` }),
      postings: async () => {
        const board = await this.#create('job_boards');
        return create({ vacancy_id: (await this.#create('vacancies')).id, job_board_id: board.id });
      },
      applications: async () => {
        const posting = await this.#create('postings');
        const opportunity_id = (posting['vacancy'] as Item | undefined)?.id;
        return create({ opportunity_id, posting_id: posting.id, candidate: person() });
      },
      event_applications: async () =>
        create({ opportunity_id: (await this.#create('events')).id, candidate: person() }),
      forms: () => {
        const sections = [{ name: 'Section', items: [{ key: 'answer', label: 'Answer', type: 'text' }] }];
        return create({ name: 'Form', resource: 'applications', sections });
      },
      documents: () => this.#upload(),
      selections: () => create({ name: 'Selection', resource: 'candidates' }),
      layouts: () =>
        create({
          name: 'Layout',
          resource: 'applications',
          columns: [{ title: 'Reference', datapath: 'application.reference' }],
        }),
      message_templates: () => create({ name: 'Template', subject: 'Subject', body: 'Text' }),
    };
    return makers[collection]();
  }

  #open(collection: 'vacancies' | 'events', { id }: Item): Promise<Item> {
    return this.#send('PUT', `/${collection}/${id}/state`, { state: 'open' });
  }

  async #upload(): Promise<Item> {
    const response = await fetch(`${this.client.baseUrl}/documents?kind=cv&name=cv.txt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.client.token}`, 'content-type': 'application/octet-stream' },
      body: 'Text',
    });
    return this.#itemOf('POST /documents', response);
  }

  /** Returns the requests that can change an item. The writers choose one of them. */
  #writesOf(collection: Collection, item: Item): readonly Request[] {
    const path = `/${collection}/${item.id}`;
    const value = 1 + Math.floor(this.random() * 5);
    const patch =
      (body: object): Request =>
      () =>
        this.#send('PATCH', path, body);
    const put =
      (suffix: string, body: object): Request =>
      () =>
        this.#send('PUT', `${path}/${suffix}`, body);
    const post =
      (suffix: string, body?: object): Request =>
      () =>
        this.#send('POST', `${path}/${suffix}`, body);
    const remove: Request = () => this.#send('DELETE', path);
    const renamed = [patch({ name: `Name ${value}` }), remove];
    const close = [put('state', { state: 'closed' }), post('score'), remove];
    const form_values = [{ item_id: this.#form.item, value: `Answer ${value}` }];
    const ofApplications = (copy: 'vacancies' | 'events'): readonly Request[] => [
      patch({ rating: value }),
      put('process_state', { state: this.random() < 0.5 ? 'in_review' : 'rejected' }),
      post('form_values', { form_values }),
      () => this.#send('POST', `/${collection}/bulk_form_values`, { items: [{ id: item.id, form_values }] }),
      post('comms', { type: 'note', body: 'Text' }),
      post('score'),
      async () => this.#send('POST', `${path}/copy`, { opp_id: (await this.#create(copy)).id }),
      remove,
    ];
    const writes: Readonly<Record<Collection, readonly Request[]>> = {
      candidates: [patch({ firstname: `Xanthippe ${value}` }), post('anonymise'), remove],
      recruiters: [patch({ job_title: `Title ${value}` })],
      vacancies: [patch({ openings: value }), ...close],
      events: [patch({ capacity: value }), ...close],
      postings: [patch({ title: `Title ${value}` }), remove],
      job_boards: renamed,
      applications: ofApplications('vacancies'),
      event_applications: ofApplications('events'),
      forms: renamed,
      documents: [
        ...renamed,
        async () => this.#send('PATCH', path, { candidate_id: (await this.#create('candidates')).id }),
      ],
      selections: [
        ...renamed,
        async () => this.#send('PUT', `${path}/members`, { ids: [(await this.#create('candidates')).id] }),
      ],
      layouts: renamed,
      message_templates: renamed,
    };
    return writes[collection];
  }
}
