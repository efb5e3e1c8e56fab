import { type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { expectStatus, type Factories } from '../support/factories.js';

export interface Result {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly score: number;
}
export type Found = Readonly<Record<string, readonly Result[]>>;

export const GROUPS = ['candidates', 'vacancies', 'events', 'postings', 'vacancy_applications', 'event_applications'];
export const PATH = '/api/v1/api/quick_search';

/**
 * Creates the objects that the tests search for.
 * @returns the objects, by short names
 */
export async function makeItems(make: Factories): Promise<Record<string, Item>> {
  const at: Record<string, Item> = {};
  const person = (firstname: string, lastname: string, more: object = {}): Promise<Item> =>
    make.candidate({ firstname, lastname, email: `${++people}@people.example`, ...more });
  let people = 0;
  at['ada'] = await person('Ada', 'Lovelace', { email: 'ada.lovelace@example.com' });
  at['adam'] = await person('Adam', 'Lovell');
  at['long'] = await person('Ada', 'Lovelace-Byron of Ockham');
  at['bob'] = await person('Robert', 'Zuckerhut', { preferred_name: 'Bobby' });
  at['jose'] = await person('José', 'Müller-Lüdenscheidt');
  at['weiss'] = await person('Ngọc', 'Weiß');
  at['liu'] = await person('志强', '刘');
  at['mohammed'] = await person('محمد', 'حداد');
  at['elena'] = await person('Ελένη', 'Παπαδοπούλου');
  at['obrien'] = await person('Seán', "O'Brien");
  at['an'] = await person('An', 'Nguyễn');
  at['anna'] = await person('Anna', 'Karenina');
  at['percent'] = await person('100%', 'Sure_\\');
  at['vacancy'] = await make.vacancy({ title: 'Bridge Engineer (m/w/d)', reference: 'REQ-004711', location: 'Köln' });
  at['event'] = await make.event({ title: 'Bridge Builders’ Day' });
  at['posting'] = await make.posting({ vacancy_id: at['vacancy'].id, title: 'Build bridges', location: 'Bonn' });
  at['application'] = await make.application({ opportunity_id: at['vacancy'].id, user_id: at['ada'].id });
  at['registration'] = await make.eventApplication({ opportunity_id: at['event'].id, user_id: at['ada'].id });
  at['ofBob'] = await make.application({ opportunity_id: at['vacancy'].id, user_id: at['bob'].id });
  return at;
}

export const ask = (api: Api, q: string, more = '', token?: string): ReturnType<Api['request']> =>
  api.request('GET', `${PATH}?q=${encodeURIComponent(q)}${more}`, token === undefined ? {} : { token });
export const find = async (api: Api, q: string, more = '', token?: string): Promise<Found> =>
  expectStatus(200, await ask(api, q, more, token)).json as Found;
export const names = async (api: Api, q: string, group = 'candidates'): Promise<readonly string[]> =>
  ((await find(api, q))[group] ?? []).map(({ title }) => title);
