import * as fc from 'fast-check';
import { openDocument } from './answer-checker.js';
import { type Answer, type Item } from './answer.js';
import { type Api } from './api-harness.js';
import { isRead } from './collection-calls.js';
import { below, expectStatus, type Factories } from './factories.js';
import { itemIdsOf } from './form-factories.js';
import { type Operation } from './openapi-document.js';
import { senders } from './send-operation.js';
import { type Sender, tusOf } from './tus.js';

interface Kind {
  /**
   * Creates an item. `value` chooses between several ways to create it. `onReady` runs before the last request, when
   * that request also changes other items.
   */
  readonly make: (value: number, onReady: () => Promise<void>) => Promise<Item>;
  /** Returns the properties of a change. */
  readonly changed: (value: number) => object;
}

const nothing = (): Promise<void> => Promise.resolve();
const renamed = (value: number): object => ({ name: `Name ${value}` });
const QUESTION = { key: 'answer', label: 'Answer', type: 'text' };
const rated = (rating: number): object => ({ rating });

/** The collections whose items the steps create, change and delete. */
function kindsOf(api: Api, make: Factories, tus: Sender) {
  return {
    vacancy_applications: {
      // The posting belongs to the vacancy of the application. The deletion of the posting then changes the application.
      make: async (_, onReady) => {
        const scoring_rules = [{ expression: 'application.rating > 1', points: 2 }];
        const opportunity_id = (await make.vacancy({ scoring_rules })).id;
        const posting_id = (await make.posting({ vacancy_id: opportunity_id })).id;
        const document_ids = [(await make.document()).id];
        await onReady();
        return make.application({ opportunity_id, posting_id, document_ids, rating: 1 });
      },
      changed: rated,
    },
    event_applications: { make: () => make.eventApplication(), changed: rated },
    candidates: {
      make: async (_, onReady) => {
        const document_ids = [(await make.document()).id];
        await onReady();
        return make.candidate({ document_ids });
      },
      changed: (value) => ({ Phone: [{ Label: 'home', Number: String(value) }] }),
    },
    vacancies: { make: () => make.vacancy(), changed: (openings) => ({ openings }) },
    events: { make: () => make.event(), changed: (capacity) => ({ capacity }) },
    postings: { make: () => make.posting(), changed: (value) => ({ title: `Title ${value}` }) },
    job_boards: { make: () => make.jobBoard(), changed: renamed },
    documents: {
      make: async (value) => {
        if (value === 1) return make.document();
        const { headers } = await tus.upload('text', { kind: 'cv', name: 'cv.txt' });
        const { url } = expectStatus(200, await api.get(`/documents/${headers['upload-document'] ?? ''}`)).item;
        const candidate_id = (await make.candidate()).id;
        return expectStatus(200, await api.request('PATCH', `/api/v1${below(url)}`, { body: { candidate_id } })).item;
      },
      changed: renamed,
    },
    forms: {
      make: () => make.form(),
      // The sections are rows of other tables. A change of a section alone is a change of the form, too.
      changed: (value) => (value === 3 ? { sections: [{ name: 'Other', items: [QUESTION] }] } : renamed(value)),
    },
    layouts: { make: () => make.layout(), changed: renamed },
    message_templates: { make: () => make.messageTemplate(), changed: renamed },
    saved_searches: { make: () => make.savedSearch(), changed: renamed },
    config_searches: { make: () => make.configSearch(), changed: renamed },
    selections: { make: () => make.selection(), changed: renamed },
    notification_topics: { make: () => make.topic(), changed: renamed },
    notification_endpoints: { make: () => make.endpoint(), changed: renamed },
    client_certificates: { make: () => make.clientCertificate(), changed: renamed },
    credentials: {
      // The credential has created another one, so that both are revoked together.
      make: async () => {
        const credential = await make.credential({ scopes: ['credentials:create', 'job_boards:read'] });
        const body = { name: 'Child', scopes: ['job_boards:read'] };
        expectStatus(201, await api.post('/credentials', body, { token: credential.token }));
        return credential;
      },
      changed: renamed,
    },
    recruiters: { make: () => make.recruiter(), changed: (value) => ({ job_title: `Title ${value}` }) },
  } as const satisfies Readonly<Record<string, Kind>>;
}

export type Collection = keyof ReturnType<typeof kindsOf>;

const PLAIN = ['create', 'change', 'change', 'replace', 'remove', 'remove'] as const;
const OF_APPLICATIONS = ['move', 'copy', 'copy', 'score', 'values', 'values', 'bulk', 'note'] as const;
const OF_OPPORTUNITIES = ['move', 'score', 'score'] as const;
type Verb = (typeof PLAIN | typeof OF_APPLICATIONS | typeof OF_OPPORTUNITIES)[number] | 'anonymise' | 'members';
/**
 * Maps a collection to the requests that it has in addition to creating, changing and deleting an item. A request that
 * is listed twice is sent more often.
 */
const MORE: Readonly<Partial<Record<Collection, readonly Verb[]>>> = {
  vacancy_applications: OF_APPLICATIONS,
  event_applications: OF_APPLICATIONS,
  vacancies: OF_OPPORTUNITIES,
  events: OF_OPPORTUNITIES,
  candidates: ['remove', 'anonymise'],
  recruiters: ['anonymise'],
  selections: ['members', 'members'],
};

/** A request about one of the existing items of a collection. */
interface ItemStep {
  readonly collection: Collection;
  readonly verb: Verb;
  /** Chooses the item. -1 is the newest one. */
  readonly which: number;
  /** Chooses the values that the request writes. The range is small, so that some requests change nothing. */
  readonly value: number;
}

/** A call of an operation of the OpenAPI document, with items that it creates for itself. */
interface OperationStep {
  readonly operation: string;
}
export type Step = ItemStep | OperationStep;

/** Number of consecutive seeds whose random writes together send all operations. */
const SHARES = 10;

const isWrite = ({ name, aliasOf }: Operation): boolean =>
  aliasOf === undefined && !isRead(name) && !name.endsWith('/preview');

/** Random requests that write. Ten consecutive seeds together send all writing operations of the OpenAPI document. */
export class RandomWrites {
  readonly #accepted = new Set<string>();
  readonly #kinds: Readonly<Record<Collection, Kind>>;

  private constructor(
    private readonly api: Api,
    private readonly make: Factories,
    private readonly operations: readonly Operation[],
    private readonly form: { readonly id: number; readonly item: number },
  ) {
    this.#kinds = kindsOf(
      api,
      make,
      tusOf(() => api, '/api/v1/documents/uploads'),
    );
  }

  static async prepare(api: Api, make: Factories): Promise<RandomWrites> {
    const operations = (await openDocument(api, make)).operations.filter(isWrite);
    const form = await make.form();
    return new RandomWrites(api, make, operations, { id: form.id, item: itemIdsOf(form)['answer'] ?? 0 });
  }

  get collections(): readonly Collection[] {
    return Object.keys(this.#kinds) as readonly Collection[];
  }

  /**
   * Generates steps in random order: steps about items of these collections, and the share of the operations that the
   * seed has. A collection that is listed several times is chosen more often.
   */
  stepsOf(
    seed: number,
    { collections, minLength, maxLength }: { collections: readonly Collection[]; minLength: number; maxLength: number },
  ): fc.Arbitrary<readonly Step[]> {
    const step = fc.constantFrom(...collections).chain((collection) =>
      fc.record<ItemStep>({
        collection: fc.constant(collection),
        verb: fc.constantFrom<Verb>(...PLAIN, ...(MORE[collection] ?? [])),
        which: fc.nat(30),
        value: fc.integer({ min: 1, max: 3 }),
      }),
    );
    const operations: readonly Step[] = this.#share(seed).map(({ name }) => ({ operation: name }));
    return fc.array(step, { minLength, maxLength }).chain((steps) => {
      const all = [...steps, ...operations];
      return fc.shuffledSubarray(all, { minLength: all.length });
    });
  }

  create(collection: Collection, value = 1, onReady = nothing): Promise<Item> {
    return this.#kinds[collection].make(value, onReady);
  }

  /**
   * Sends the request of a step. The API may refuse it.
   * @param onReady  runs right before the request, when the items that it needs have been created
   */
  async take(step: Step, onReady = nothing): Promise<void> {
    if (!('operation' in step)) return this.#write(step, onReady);
    const operation = this.operations.find(({ name }) => name === step.operation);
    if (!operation) throw new Error(`there is no operation ${step.operation}`);
    const { callOf, send } = senders(this.api, this.make);
    const call = await callOf(operation);
    await onReady();
    const { status } = await send(operation, call);
    if (status < 300) this.#accepted.add(operation.name);
  }

  /** Returns the names of the operations in the share of the seed that the API has not accepted yet. */
  missing(seed: number): readonly string[] {
    return this.#share(seed)
      .map(({ name }) => name)
      .filter((name) => !this.#accepted.has(name));
  }

  #share(seed: number): readonly Operation[] {
    return this.operations.filter((_, index) => index % SHARES === seed % SHARES);
  }

  /** Returns all items of a collection, as its list shows them. */
  async #all(collection: Collection): Promise<readonly Item[]> {
    return expectStatus(200, await this.api.get(`/${collection}?per_page=500`)).items;
  }

  /** Returns the items that a step may write. The credential of the test and the form of its values are left out. */
  async #items({ collection, verb, value }: ItemStep): Promise<readonly Item[]> {
    const all = await this.#all(collection);
    if (collection === 'credentials') return all.slice(1);
    if (collection === 'forms') return all.filter(({ id }) => id !== this.form.id);
    if (collection !== 'candidates' || verb !== 'remove' || value === 1) return all;
    // Mostly deletes candidates with applications, so that the applications are deleted, too.
    const applicants = new Set((await this.#all('vacancy_applications')).map(({ user }) => (user as Item).id));
    return all.filter(({ id }) => applicants.has(id));
  }

  async #write(step: ItemStep, onReady: () => Promise<void>): Promise<void> {
    const { collection, verb, which, value } = step;
    if (verb === 'create') return void (await this.create(collection, value, onReady));
    const items = await this.#items(step);
    const item = items.at(which % Math.max(1, items.length));
    if (!item) return;
    const { api } = this;
    const path = below(item.url);
    const body = this.#kinds[collection].changed(value);
    const isApplication = collection.endsWith('applications');
    const form_values = [{ item_id: this.form.item, value: String(value) }];
    const requests: Readonly<Record<Exclude<Verb, 'create'>, () => Promise<Answer>>> = {
      change: () => api.request('PATCH', `/api/v1${path}`, { body }),
      replace: async () => api.put(path, { ...(await api.get(path)).item, ...body }),
      remove: async () => {
        if (collection === 'candidates') await this.#rejectApplications(item);
        return api.delete(path);
      },
      move: () =>
        isApplication
          ? api.put(`${path}/process_state`, { state: value === 1 ? 'in_review' : 'rejected' })
          : api.put(`${path}/state`, { state: value === 1 ? 'closed' : 'open' }),
      copy: async () => {
        const targets = await this.#all(collection === 'event_applications' ? 'events' : 'vacancies');
        return api.post(`${path}/copy`, { opp_id: targets[which % Math.max(1, targets.length)]?.id });
      },
      score: () => api.post(`${path}/score`),
      values: () => api.post(`${path}/form_values`, { form_values }),
      bulk: () =>
        api.post(`/${collection}/bulk_form_values`, {
          items: items.filter(({ id }) => id % 2 === value % 2).map(({ id }) => ({ id, form_values })),
        }),
      note: () => api.post(`${path}/comms`, { type: 'note', body: 'Text' }),
      anonymise: () => api.post(`${path}/anonymise`),
      members: async () =>
        api.put(`${path}/members`, { ids: (await this.#all('candidates')).slice(0, value).map(({ id }) => id) }),
    };
    await requests[verb]();
  }

  /** Rejects all applications of a candidate. Only then can the candidate be deleted, together with the applications. */
  async #rejectApplications(candidate: Item): Promise<void> {
    for (const collection of ['vacancy_applications', 'event_applications'] as const) {
      const { items } = expectStatus(200, await this.api.get(`/${collection}?search=%2Fuser%2Fid%3D${candidate.id}`));
      for (const { url } of items) await this.api.put(`${below(url)}/process_state`, { state: 'rejected' });
    }
  }
}
