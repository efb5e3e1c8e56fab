import { randomUUID } from 'node:crypto';
import { type Client } from '@ats/client';
import { pathOf } from '../context.js';

/** An item that was created for a sample. */
export interface Made {
  readonly id: number;
  readonly url: string;
  readonly [name: string]: unknown;
}
type Body = Readonly<Record<string, unknown>>;

const unique = (): string => randomUUID().slice(0, 8);

/** Creates items with made-up values. Their names begin with "Sample". */
export class Samples {
  constructor(private readonly client: Client) {}

  async get(path: string): Promise<Made> {
    return (await this.client.get<{ 200: Made }, unknown, true>({ url: pathOf(path), throwOnError: true })).data;
  }

  async post(path: string, body?: Body): Promise<Made> {
    return (
      await this.client.post<{ 200: Made }, unknown, true>({
        url: pathOf(path),
        ...(body && { body, headers: { 'content-type': 'application/json' } }),
        throwOnError: true,
      })
    ).data;
  }

  async change(resource: string, item: Made, body: Body): Promise<Made> {
    const url = pathOf(resource, String(item.id));
    await this.client.patch({ url, body, headers: { 'content-type': 'application/json' }, throwOnError: true });
    return item;
  }

  async delete(resource: string, item: Made): Promise<Made> {
    await this.client.delete({ url: pathOf(resource, String(item.id)), throwOnError: true });
    return item;
  }

  /** Moves an application, a vacancy or an event to another state. */
  async move(path: string, state: string, item: Made): Promise<Made> {
    const headers = { 'content-type': 'application/json' };
    await this.client.put({ url: pathOf(path), body: { state }, headers, throwOnError: true });
    return item;
  }

  candidates(): Promise<Made> {
    return this.post('candidates', this.#person());
  }

  vacancies(): Promise<Made> {
    return this.post('vacancies', { title: 'Sample vacancy' });
  }

  events(): Promise<Made> {
    const times = { start_dt: '2035-05-01T09:00:00.000Z', end_dt: '2035-05-01T17:00:00.000Z' };
    return this.post('events', { title: 'Sample event', ...times });
  }

  job_boards(): Promise<Made> {
    return this.post('job_boards', { name: 'Sample job board', code: `sample-${unique()}` });
  }

  async postings(): Promise<Made> {
    const [vacancy, board] = [await this.vacancies(), await this.job_boards()];
    return this.post('postings', { vacancy_id: vacancy.id, job_board_id: board.id });
  }

  async vacancy_applications(vacancy?: Made): Promise<Made> {
    const { id } = vacancy ?? (await this.openVacancy());
    return this.post('vacancy_applications', { opportunity_id: id, candidate: this.#person() });
  }

  async openVacancy(): Promise<Made> {
    const vacancy = await this.vacancies();
    return this.move(`vacancies/${vacancy.id}/state`, 'open', vacancy);
  }

  /** Creates a form that applies to one vacancy only, so that applications to other vacancies do not change. */
  async forms(vacancy?: Made): Promise<Made> {
    const { id } = vacancy ?? (await this.vacancies());
    const sections = [{ name: 'Sample', items: [{ key: 'sample', label: 'Sample', type: 'text' }] }];
    return this.post('forms', { name: 'Sample form', resource: 'applications', opportunity_ids: [id], sections });
  }

  async documents(): Promise<Made> {
    const { data } = await this.client.post<{ 201: Made }, unknown, true>({
      url: pathOf('documents'),
      query: { kind: 'other', name: 'sample.txt' },
      body: 'sample',
      bodySerializer: null,
      headers: { 'content-type': 'application/octet-stream' },
      throwOnError: true,
    });
    return data;
  }

  async credentials(): Promise<Made> {
    const { scopes } = await this.get('me');
    const [scope] = scopes as readonly string[];
    return this.post('credentials', { name: 'Sample credential', scopes: [scope] });
  }

  #person(): Body {
    return { firstname: 'Sample', lastname: 'Person', email: `sample.${unique()}@example.com` };
  }
}
