import { expect } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { type Factories } from '../support/factories.js';

/**
 * Creates four candidates.
 * @returns the candidates by first name
 */
export async function makePeople(make: Factories): Promise<ReadonlyMap<string, Item>> {
  const people = new Map<string, Item>();
  const properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    anna: { firstname: 'Anna', lastname: 'Johnson', tags: ['java'], current_employer: 'Acme' },
    bela: { firstname: 'Bela', lastname: 'Johnson', tags: ['go'], current_employer: 'Acme' },
    carl: { firstname: 'Carl', lastname: 'Smith', tags: ['java'], current_employer: 'Globex' },
    dora: { firstname: 'Dora', lastname: 'Smith' },
  };
  for (const [name, values] of Object.entries(properties)) people.set(name, await make.candidate(values));
  return people;
}

export const NAMED = { name: 'Search', resource: 'candidates' };

/** Returns the names of the candidates that a query finds, or the violations of the query. */
function named(answer: Answer): string {
  if (answer.status !== 200)
    return `${answer.status} ${(answer.problem.errors ?? []).map(({ parameter, info }) => `${parameter ?? ''}: ${info ?? ''}`).join(' | ')}`;
  expect(answer.headers['x-total-count']).toBe(String(answer.items.length));
  return answer.items.map(({ firstname }) => String(firstname).toLowerCase()).join(' ');
}

export const find = async (api: Api, query: string, options?: { readonly token: string }): Promise<string> =>
  named(await api.get(`/candidates?${query}`, options));
