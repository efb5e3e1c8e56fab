// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allResources, type Resource } from '@ats/domain';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

/** A text that occurs only in the history of each tested item. */
const SECRET = 'Zephyrine Quellwasser';

/** Maps each resource that has a history to a function that creates an item with the text in its history. */
const ITEMS: Readonly<Record<string, () => Promise<Item>>> = {
  applications: async () => moved(await make.application()),
  event_applications: async () => moved(await make.eventApplication(), 'confirmed'),
  candidates: async () => changed(await make.candidate(), { lastname: SECRET }),
  vacancies: async () => changed(await make.vacancy(), { title: SECRET }),
  events: async () => changed(await make.event(), { title: SECRET }),
  postings: async () => changed(await make.posting(), { title: SECRET }),
};

async function moved(item: Item, state = 'in_review'): Promise<Item> {
  expectStatus(200, await api.put(`${below(item.url)}/process_state`, { state, comment: SECRET }));
  return item;
}

async function changed(item: Item, change: object): Promise<Item> {
  expectStatus(200, await api.request('PATCH', `/api/v1${below(item.url)}`, { body: change }));
  return item;
}

/** Returns the resources whose items have a history, each with the endings of the paths at which clients read it. */
async function readers(): Promise<readonly { readonly resource: Resource; readonly kinds: readonly string[] }[]> {
  const catalogue = (await api.get('/scopes')).json as readonly {
    readonly scope: string;
    readonly operations: readonly string[];
  }[];
  const operations = catalogue.find(({ scope }) => scope === 'history:read')?.operations ?? [];
  const kindsOf = (path: string): readonly string[] =>
    ['/{id}/history', '/history'].filter((end) => operations.includes(`GET /api/v1/${path}${end}`));
  return allResources()
    .filter(({ type }) => type.table !== undefined)
    .map((resource) => ({ resource, kinds: [...new Set(resource.paths.flatMap(kindsOf))] }))
    .filter(({ kinds }) => kinds.length > 0);
}

describe('the scopes of histories and feeds', () => {
  let found: Awaited<ReturnType<typeof readers>>;
  beforeAll(async () => void (found = await readers()));

  test('are tested for each resource that has a history', () => {
    expect(found.map(({ resource }) => resource.name)).toEqual(Object.keys(ITEMS).sort());
    expect(found.flatMap(({ kinds }) => kinds).filter((kind) => kind === '/history')).toHaveLength(2);
  });

  test.each(Object.keys(ITEMS))('are history:read and the read scope of the subject: %s', async (name) => {
    const reader = found.find(({ resource }) => resource.name === name);
    const item = await (ITEMS[name] as () => Promise<Item>)();
    const scope = `${reader?.resource.scope ?? ''}:read`;
    const [both, history, subject, others] = [
      await make.token('history:read', scope),
      await make.token('history:read'),
      await make.token(scope),
      await make.token('history:read', scope === 'candidates:read' ? 'users:read' : 'candidates:read'),
    ];
    for (const path of reader?.resource.paths ?? [])
      for (const kind of reader?.kinds ?? []) {
        const address = `/${path}${kind.replace('{id}', String(item.id))}`;
        const whole = expectStatus(200, await api.get(address, { token: both }));
        expect([whole.text.includes(SECRET), whole.text.includes(item.url)]).toEqual([true, true]);
        for (const [token, missing] of [
          [history, scope],
          [others, scope],
          [subject, 'history:read'],
        ] as const) {
          const refused = expectStatus(403, await api.get(address, { token }));
          expect(refused.problem).toMatchObject({ message: `The credential lacks the scope ${missing}` });
          expect(refused.text).not.toContain(SECRET);
        }
      }
  });

  test('are checked before the id, so that no answer tells which ids exist', async () => {
    const token = await make.token('history:read');
    expectStatus(403, await api.get('/candidates/999999999/history', { token }));
  });
});
