import { type Collection } from './catalogue.js';

/** Collections whose items have a page of their own, besides the page with all properties. */
export const OWN_PAGES = ['applications', 'event_applications'];

/** Returns the address of an item below `/console/`. */
export function addressOf({ name }: Pick<Collection, 'name'>, id: number): string {
  return `${OWN_PAGES.includes(name) ? 'applications' : 'data'}/${name}/${id}`;
}

/** Returns the collection and the id in the `url` of an item, such as `…/api/v1/vacancies/12`. */
export function itemOf(url: string, collections: readonly Collection[]): readonly [Collection, number] | undefined {
  const [, path, id] = /(\/api\/v1\/[a-z_]+)\/(\d+)$/.exec(url) ?? [];
  const collection = collections.find((candidate) => candidate.path === path);
  return collection && [collection, Number(id)];
}
