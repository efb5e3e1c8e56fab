// @group split: npm test runs a short sequence of writes, npm run test:all runs long ones
import { expect, test } from '@jest/globals';
import { followedResources, type Resource } from '@ats/domain';
import * as fc from 'fast-check';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { isLong } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';
import { Feed } from './feed.js';

const { api, make } = useApi();
const feed = new Feed(api);

const MAKE = {
  vacancy_applications: () => make.application(),
  event_applications: () => make.eventApplication(),
  candidates: () => make.candidate(),
  vacancies: () => make.vacancy(),
  postings: () => make.posting(),
  job_boards: () => make.jobBoard(),
  forms: () => make.form(),
  notification_topics: () => make.topic(),
  recruiters: () => make.recruiter(),
} as const satisfies Readonly<Record<string, () => Promise<Item>>>;
type Collection = keyof typeof MAKE;

const CHANGED: Readonly<Record<Collection, (value: number) => object>> = {
  vacancy_applications: (rating) => ({ rating }),
  event_applications: (rating) => ({ rating }),
  candidates: (value) => ({ Phone: [{ Label: 'home', Number: String(value) }] }),
  vacancies: (openings) => ({ openings }),
  postings: (value) => ({ title: `Title ${value}` }),
  job_boards: (value) => ({ name: `Board ${value}` }),
  forms: (value) => ({ name: `Form ${value}` }),
  notification_topics: (value) => ({ name: `Topic ${value}` }),
  recruiters: (value) => ({ job_title: `Title ${value}` }),
};

interface Step {
  readonly collection: Collection;
  readonly verb: 'create' | 'change' | 'remove' | 'anonymise' | 'move';
  readonly which: number;
  readonly value: number;
}
const step = fc.record<Step>({
  collection: fc.constantFrom(...(Object.keys(MAKE) as Collection[])),
  verb: fc.constantFrom('create', 'change', 'change', 'remove', 'anonymise', 'move'),
  which: fc.nat(30),
  value: fc.integer({ min: 1, max: 3 }),
});
/** Each element has requests that run at the same time. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 10, maxLength: 15 });

async function take({ collection, verb, which, value }: Step): Promise<void> {
  if (verb === 'create') return void (await MAKE[collection]());
  const { items } = expectStatus(200, await api.get(`/${collection}?per_page=500`));
  const item = items[which % Math.max(1, items.length)];
  if (!item) return;
  const path = below(item.url);
  const isApplication = collection.endsWith('applications');
  if (verb === 'change') await api.request('PATCH', `/api/v1${path}`, { body: CHANGED[collection](value) });
  else if (verb === 'remove') await api.delete(path);
  else if (verb === 'anonymise') await api.post(`${path}/anonymise`);
  else
    await api.put(`${path}/${isApplication ? 'process_state' : 'state'}`, { state: value === 1 ? 'closed' : 'open' });
}

type Copy = Map<string, string>;

/** The followed collections that have a list of their own, below no other item. */
const listed = (): readonly Resource[] =>
  followedResources().filter(
    ({ ownerColumn, sharedColumn }) => ownerColumn === undefined || sharedColumn !== undefined,
  );

/** All items, each with its `updated_dt`, as the lists show them. */
async function snapshot(): Promise<Copy> {
  const copy: Copy = new Map();
  for (const { name, paths } of listed()) {
    const { items } = expectStatus(200, await api.get(`/${paths[0]}?per_page=1000`));
    for (const { id, updated_dt } of items) copy.set(`${name} ${id}`, new Date(String(updated_dt)).toISOString());
  }
  return copy;
}

test('a copy that follows the feed equals the data after any writes', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (given) => {
      const since = await feed.now();
      const copy = await snapshot();
      let token = since;
      for (const round of given) {
        const [page] = await Promise.all([feed.read({ since: token, limit: 5 }), ...round.map(take)]);
        token = page.next;
        for (const change of page.items) apply(copy, change);
      }
      for (const change of (await feed.after(token)).items) apply(copy, change);
      const names = new Set(listed().map(({ name }) => name));
      const followed = [...copy].filter(([key]) => names.has(key.split(' ')[0] ?? ''));
      expect(followed.sort()).toEqual([...(await snapshot())].sort());
    }),
    { numRuns: isLong ? 10 : 1, endOnFailure: true },
  );
}, 400_000);

function apply(
  copy: Copy,
  { resource, id, change, dt }: { readonly resource: string; id: number; change: string; dt: string },
): void {
  const key = `${resource} ${id}`;
  if (change === 'deleted') copy.delete(key);
  else copy.set(key, new Date(dt).toISOString());
}
