import { allResources, type Resource } from '@ats/domain';
import { type Item } from './answer.js';
import { type Api } from './api-harness.js';

/** Creates an item of each collection that is empty and whose description has an example. */
export async function makeMissingItems(api: Api, make: (resource: Resource) => Promise<Item>): Promise<void> {
  for (const described of allResources().filter(({ describe: { example } }) => example)) {
    const { status, items } = await api.get(`/${described.paths[0]}?per_page=1`);
    if (status === 200 && items.length === 0) await make(described);
  }
}
