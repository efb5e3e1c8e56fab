// @group split: npm test runs a short sequence of writes, npm run test:all runs long ones
import { expect, test } from '@jest/globals';
import { followedResources, getResource, type Resource } from '@ats/domain';
import * as fc from 'fast-check';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { itemIdsOf } from '../support/form-factories.js';
import { REPLAY_SEEDS } from '../support/replay-seeds.js';
import { useApi } from '../support/use-api.js';
import { type Change, Feed } from './feed.js';

const { api, make } = useApi();
const feed = new Feed(api);

/** Creates an application through a posting. The deletion of the posting then changes the application. */
async function applicationThroughPosting(): Promise<Item> {
  const posting = await make.posting();
  return make.application({ posting_id: posting.id, opportunity_id: (posting['vacancy'] as Item).id });
}

const MAKE = {
  vacancy_applications: applicationThroughPosting,
  event_applications: () => make.eventApplication(),
  candidates: () => make.candidate(),
  vacancies: () => make.vacancy(),
  events: () => make.event(),
  postings: () => make.posting(),
  job_boards: () => make.jobBoard(),
  documents: () => make.document(),
  forms: () => make.form(),
  layouts: () => make.layout(),
  message_templates: () => make.messageTemplate(),
  saved_searches: () => make.savedSearch(),
  config_searches: () => make.configSearch(),
  selections: () => make.selection(),
  notification_topics: () => make.topic(),
  notification_endpoints: () => make.endpoint(),
  client_certificates: () => make.clientCertificate(),
  credentials: () => make.credential(),
  recruiters: () => make.recruiter(),
} as const satisfies Readonly<Record<string, () => Promise<Item>>>;
type Collection = keyof typeof MAKE;

/** The listed resources of the feed whose items the steps do not change themselves. */
const UNCHANGED: Readonly<Record<string, string>> = {
  communications: 'the step `write` creates them, and nothing changes them',
  systems: 'there is one item, which is never created or deleted',
  users: 'their items are those of candidates and recruiters',
};

const renamed = (value: number): object => ({ name: `Name ${value}` });

const CHANGED: Readonly<Record<Collection, (value: number) => object>> = {
  vacancy_applications: (rating) => ({ rating }),
  event_applications: (rating) => ({ rating }),
  candidates: (value) => ({ Phone: [{ Label: 'home', Number: String(value) }] }),
  vacancies: (openings) => ({ openings }),
  events: (capacity) => ({ capacity }),
  postings: (value) => ({ title: `Title ${value}` }),
  job_boards: renamed,
  documents: renamed,
  forms: renamed,
  layouts: renamed,
  message_templates: renamed,
  saved_searches: renamed,
  config_searches: renamed,
  selections: renamed,
  notification_topics: renamed,
  notification_endpoints: renamed,
  client_certificates: renamed,
  // Credentials never change, but they are revoked.
  credentials: renamed,
  recruiters: (value) => ({ job_title: `Title ${value}` }),
};

interface Step {
  readonly collection: Collection;
  readonly verb: 'create' | 'change' | 'remove' | 'anonymise' | 'move' | 'copy' | 'write';
  readonly which: number;
  readonly value: number;
}
const RECRUITMENT = ['vacancy_applications', 'event_applications', 'candidates', 'vacancies', 'postings'] as const;
const step = fc.record<Step>({
  // Sequences choose the collections whose items depend on each other more often.
  collection: fc.constantFrom(...(Object.keys(MAKE) as Collection[]), ...RECRUITMENT, ...RECRUITMENT),
  verb: fc.constantFrom('create', 'change', 'change', 'remove', 'remove', 'anonymise', 'move', 'copy', 'write'),
  which: fc.nat(30),
  value: fc.integer({ min: 1, max: 3 }),
});
/** Generates rounds of requests. The requests of a round run at the same time. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 10, maxLength: 15 });

/** Sends the request of one step. The API may refuse it. @param formItem  id of a form item for form values */
async function take({ collection, verb, which, value }: Step, formItem: number): Promise<void> {
  if (verb === 'create') return void (await MAKE[collection]());
  const found = expectStatus(200, await api.get(`/${collection}?per_page=500`)).items;
  // Keeps the credential of this test. It is the oldest one.
  const items = collection === 'credentials' ? found.slice(1) : found;
  const item = items[which % Math.max(1, items.length)];
  if (!item) return;
  const path = below(item.url);
  const isApplication = collection.endsWith('applications');
  if (verb === 'change') await api.request('PATCH', `/api/v1${path}`, { body: CHANGED[collection](value) });
  else if (verb === 'remove') await api.delete(path);
  else if (verb === 'anonymise') await api.post(`${path}/anonymise`);
  else if (verb === 'write' && collection === 'selections')
    await api.put(`${path}/members`, {
      ids: (await api.get('/candidates')).items.slice(0, value).map(({ id }) => id),
    });
  else if (verb === 'write' && isApplication && value > 1)
    await api.post(`${path}/form_values`, { form_values: [{ item_id: formItem, value: String(value) }] });
  else if (verb === 'write') await api.post(`${path}/comms`, { type: 'note', body: 'Text' });
  else if (verb === 'copy')
    await api.post(`${path}/copy`, {
      opp_id: (collection === 'event_applications' ? await make.event() : await make.vacancy()).id,
    });
  else
    await api.put(`${path}/${isApplication ? 'process_state' : 'state'}`, { state: value === 1 ? 'closed' : 'open' });
}

/** The own values of each item as texts. The key is the name of the item. */
type Copy = Map<string, string>;

/** Returns the collections in the feed that have a list of their own, which is not below another item. */
const listed = (): readonly Resource[] =>
  followedResources().filter(
    ({ ownerColumn, sharedColumn }) => ownerColumn === undefined || sharedColumn !== undefined,
  );

/**
 * Returns the values that belong to the item itself. References are ids, and values that the service computes from
 * other rows are left out. The template of a communication is left out, too, because it disappears without a change,
 * see docs/reference/changes.md.
 */
function ownValues({ type: { properties, relations } }: Resource, item: Item): string {
  const pointers = new Map(Object.entries(relations).map(([name, { pointer }]) => [pointer, name]));
  const own = Object.entries(item).flatMap(([key, value]) => {
    const property = properties[pointers.get(key) ?? key];
    if (property?.kind === 'attribute') return property.readsOtherRows ? [] : [[key, value]];
    if (key === 'template' || (property?.many && !property.write)) return [];
    return property?.keyColumn === undefined ? [[key, value]] : [[key, (value as Item | null)?.id ?? null]];
  });
  return JSON.stringify(own);
}

const itemsOf = async ({ paths }: Resource, query: string): Promise<readonly Item[]> =>
  expectStatus(200, await api.get(`/${paths[0]}?${query}`)).items;

async function snapshot(): Promise<Copy> {
  const copy: Copy = new Map();
  for (const resource of listed()) {
    for (const item of await itemsOf(resource, 'per_page=1000'))
      copy.set(`${resource.name} ${item.id}`, ownValues(resource, item));
  }
  return copy;
}

test('the random steps change every listed resource of the feed', () => {
  const changed = Object.keys(MAKE).map((path) => getResource(path === 'vacancy_applications' ? 'applications' : path));
  const names = listed().map(({ name }) => name);
  expect([...changed.map(({ name }) => name), ...Object.keys(UNCHANGED)].sort()).toEqual([...names].sort());
});

test.each(REPLAY_SEEDS)(
  'a copy that follows the feed equals the data after any writes: seed %i',
  async (seed) => {
    const formItem = itemIdsOf(await make.form())['answer'] ?? 0;
    await fc.assert(
      fc.asyncProperty(rounds, async (given) => {
        const since = await feed.now();
        const copy = await snapshot();
        let token = since;
        for (const round of given) {
          const [page] = await Promise.all([
            feed.read({ since: token, limit: 5 }),
            ...round.map((one) => take(one, formItem)),
          ]);
          token = page.next;
          for (const change of page.items) await apply(copy, change);
        }
        for (const change of (await feed.after(token)).items) await apply(copy, change);
        expect([...copy].sort()).toEqual([...(await snapshot())].sort());
      }),
      { seed, numRuns: 1, endOnFailure: true },
    );
  },
  400_000,
);

/** Applies a change to the copy. It reads the item from the list, because single items have more values. */
async function apply(copy: Copy, { resource: name, id, change }: Change): Promise<void> {
  const resource = getResource(name);
  if (!listed().includes(resource)) return;
  const found = change === 'deleted' ? [] : await itemsOf(resource, `search=%2Fid%3D${id}`);
  copy.delete(`${name} ${id}`);
  for (const item of found) copy.set(`${name} ${id}`, ownValues(resource, item));
}
