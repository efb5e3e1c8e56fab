import { type ApiClient, type Item } from './api-client.js';

const WRITERS = 3;
const COLLECTIONS = ['applications', 'candidates', 'vacancies', 'postings', 'job_boards'] as const;
type Collection = (typeof COLLECTIONS)[number];

let serial = 0;
const unique = (): string => `${Date.now()}-${(serial += 1)}`;

/** Clients that send random writes at the same time. The service may refuse some of these writes. */
export class RandomWriters {
  readonly #statuses = new Map<number, number>();

  constructor(
    private readonly client: ApiClient,
    private readonly random: () => number,
  ) {}

  async prepare(): Promise<void> {
    for (let count = 0; count < 4; count += 1) await this.#create('applications');
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

  /** Sends a write. @throws {Error} when the answer shows an error of the service */
  async #send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Item> {
    const response = await this.client.request(method, path, body);
    this.#statuses.set(response.status, (this.#statuses.get(response.status) ?? 0) + 1);
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Item;
  }

  async #vacancy(): Promise<Item> {
    const { id } = await this.#send('POST', '/vacancies', { title: `Vacancy ${unique()}` });
    return this.#send('PUT', `/vacancies/${id}/state`, { state: 'open' });
  }

  async #posting(): Promise<Item> {
    const board = await this.#send('POST', '/job_boards', { name: 'Board', code: `board-${unique()}` });
    const vacancy = await this.#vacancy();
    return this.#send('POST', '/postings', { vacancy_id: vacancy.id, job_board_id: board.id });
  }

  async #create(collection: Collection): Promise<unknown> {
    if (collection === 'vacancies') return this.#vacancy();
    if (collection === 'postings' || collection === 'job_boards') return this.#posting();
    const candidate = { firstname: 'Xanthippe', lastname: 'Vandersloot', email: `x.${unique()}@example.com` };
    if (collection === 'candidates') return this.#send('POST', '/candidates', candidate);
    const posting = await this.#posting();
    const opportunity_id = (posting['vacancy'] as Item).id;
    return this.#send('POST', '/applications', { opportunity_id, posting_id: posting.id, candidate });
  }

  async #write(): Promise<unknown> {
    const collection = this.#pick(COLLECTIONS) ?? 'applications';
    const verb = this.#pick(['create', 'change', 'change', 'remove', 'special'] as const);
    if (verb === 'create') return this.#create(collection);
    const items = await this.client.get<readonly Item[]>(`/${collection}?per_page=1000&sort=id!desc`);
    const item = this.#pick(items.slice(0, 20));
    if (!item) return undefined;
    const path = `/${collection}/${item.id}`;
    if (verb === 'remove') return this.#send('DELETE', path);
    if (verb === 'change') return this.#send('PATCH', path, this.#changes()[collection]);
    if (collection === 'candidates') return this.#send('POST', `${path}/anonymise`);
    if (collection === 'vacancies') return this.#send('PUT', `${path}/state`, { state: 'closed' });
    if (collection !== 'applications') return undefined;
    if (this.random() < 0.5) return this.#send('PUT', `${path}/process_state`, { state: 'rejected' });
    return this.#send('POST', `${path}/copy`, { opp_id: (await this.#vacancy()).id });
  }

  #changes(): Readonly<Record<Collection, object>> {
    const value = 1 + Math.floor(this.random() * 5);
    return {
      applications: { rating: value },
      candidates: { firstname: `Xanthippe ${value}` },
      vacancies: { openings: value },
      postings: { title: `Title ${value}` },
      job_boards: { name: `Board ${value}` },
    };
  }
}
