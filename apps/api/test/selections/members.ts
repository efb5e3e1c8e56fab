import { type Answer, type Item } from '../support/answer.js';
import { expectStatus, type Factories } from '../support/factories.js';
import { type Api } from '../support/api-harness.js';

export const UNKNOWN = 987_654_321;
export const idsOf = ({ items }: Answer): readonly number[] => items.map(({ id }) => id);
export const byId = (items: readonly Item[]): readonly number[] => items.map(({ id }) => id).sort((a, b) => a - b);
export const memberIds = async (api: Api, { id }: Item): Promise<readonly number[]> =>
  idsOf(expectStatus(200, await api.get(`/selections/${id}/members?per_page=1000`)));
export const selection = async (api: Api, { id }: Item): Promise<Item> => (await api.get(`/selections/${id}`)).item;

/**
 * Creates candidates.
 * @returns the candidates in the order of their ids
 */
export async function candidates(make: Factories, count: number): Promise<readonly Item[]> {
  const made: Item[] = [];
  while (made.length < count) made.push(await make.candidate());
  return made;
}
