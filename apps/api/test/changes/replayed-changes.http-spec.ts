// @group split: npm test runs a short sequence of writes, npm run test:all runs long ones
import { expect, test } from '@jest/globals';
import { followedResources, getResource, type Resource } from '@ats/domain';
import * as fc from 'fast-check';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { sampleOf } from '../support/long-part.js';
import { type Collection, RandomWrites, type Step } from '../support/random-writes.js';
import { REPLAY_SEEDS } from '../support/replay-seeds.js';
import { useApi } from '../support/use-api.js';
import { CommittedChanges } from './committed-changes.js';
import { type Change, type ChangesBody, Feed, namesOf } from './feed.js';

const { api, make } = useApi();
const feed = new Feed(api);

/** The random sequences choose these collections more often than others, because their items depend on each other. */
const RECRUITMENT = ['vacancy_applications', 'event_applications', 'candidates', 'vacancies', 'postings'] as const;
/** Maximum number of requests that run at the same time. */
const CONCURRENT = 4;

/** Sends the request of a step. The API may refuse it, for example because another request has deleted the item. */
const take = (writes: RandomWrites, step: Step): Promise<void> =>
  writes.take(step).catch((error: unknown) => {
    if (!/, got 4\d\d/.test(String(error))) throw error;
  });

/** Maps the name of an item, such as `candidates 7`, to the JSON text of its own values. */
type Copy = Map<string, string>;

/**
 * Values that change without a change of the item, see docs/reference/changes.md: the template of a communication, which
 * disappears, and the last use of a credential.
 */
const NOT_FOLLOWED: Readonly<Record<string, string>> = { communications: 'template', credentials: 'last_used_dt' };

/**
 * Returns the values that belong to the item itself. References are ids, and values that the service computes from
 * other rows are left out.
 */
function ownValues({ name, type: { properties, relations } }: Resource, item: Item): string {
  const pointers = new Map(Object.entries(relations).map(([relation, { pointer }]) => [pointer, relation]));
  const own = Object.entries(item).flatMap(([key, value]) => {
    if (key === NOT_FOLLOWED[name]) return [];
    const property = properties[pointers.get(key) ?? key];
    if (property?.kind === 'attribute') return property.readsOtherRows ? [] : [[key, value]];
    if (property?.many && !property.write) return [];
    return property?.keyColumn === undefined ? [[key, value]] : [[key, (value as Item | null)?.id ?? null]];
  });
  return JSON.stringify(own);
}

/** Maps a resource below an item of another resource to that resource and to the last part of the path of the list. */
const LISTS_BELOW: Readonly<Record<string, { readonly owner: string; readonly list: string }>> = {
  notification_subscriptions: { owner: 'notification_topics', list: 'subscriptions' },
  notification_redeliveries: { owner: 'notification_subscriptions', list: 'redeliveries' },
};

async function itemsOf({ name, paths }: Resource): Promise<readonly Item[]> {
  const nested = LISTS_BELOW[name];
  const lists = nested
    ? (await itemsOf(getResource(nested.owner))).map(({ url }) => `${below(url)}/${nested.list}`)
    : [`/${paths[0]}`];
  const pages = await Promise.all(lists.map((list) => api.get(`${list}?per_page=1000`)));
  return pages.flatMap((page) => expectStatus(200, page).items);
}

async function snapshot(): Promise<Copy> {
  const copy: Copy = new Map();
  for (const resource of followedResources())
    for (const item of await itemsOf(resource)) copy.set(`${resource.name} ${item.id}`, ownValues(resource, item));
  return copy;
}

/**
 * Applies a change to the copy. It reads the item from its list, because single items have more values. An item that
 * does not exist any more stays in the copy without values until the feed says that it was deleted.
 */
async function apply(copy: Copy, { resource: name, id, url, change }: Change): Promise<void> {
  const key = `${name} ${id}`;
  if (change === 'deleted') return void copy.delete(key);
  const page = await api.get(`${below(url).replace(/\/\d+$/, '')}?search=%2Fid%3D${id}`);
  // The answer is 404 when the item above the list was deleted.
  const [item] = page.status === 404 ? [] : expectStatus(200, page).items;
  copy.set(key, item ? ownValues(getResource(name), item) : '');
}

/**
 * Applies changes to the copy in their order.
 * @returns the misplaced changes: creations of items that the copy has, and other changes of items that the copy lacks
 */
async function follow(copy: Copy, changes: readonly Change[]): Promise<readonly string[]> {
  const misplaced: string[] = [];
  for (const change of changes) {
    const isKnown = copy.has(`${change.resource} ${change.id}`);
    if (isKnown === (change.change === 'created')) misplaced.push(...namesOf({ items: [change] }));
    await apply(copy, change);
  }
  return misplaced;
}

/** Returns the names of the items in which the copy differs from the data. */
async function differences(copy: Copy): Promise<readonly string[]> {
  const present = await snapshot();
  return [...new Set([...copy.keys(), ...present.keys()])].filter((name) => copy.get(name) !== present.get(name));
}

const resourceOf = (collection: Collection): Resource =>
  getResource(collection === 'vacancy_applications' ? 'applications' : collection);

/**
 * Resources of the feed that the steps change without a collection of their own: by operations, and by the step `note`.
 */
const WITHOUT_STEPS = [
  ...['communications', 'notification_redeliveries', 'notification_subscriptions', 'systems'],
  // The steps create users as candidates and recruiters.
  'users',
];

test('the random writes change items of every resource of the feed', async () => {
  const { collections } = await RandomWrites.prepare(api, make);
  const names = [...collections.map((collection) => resourceOf(collection).name), ...WITHOUT_STEPS];
  expect(names.sort()).toEqual(followedResources().map(({ name }) => name));
});

test.each(REPLAY_SEEDS)(
  'a copy that follows the feed equals the data after any writes: seed %i',
  async (seed) => {
    const writes = await RandomWrites.prepare(api, make);
    const committed = await CommittedChanges.prepare(api);
    const collections = [...writes.collections, ...RECRUITMENT, ...RECRUITMENT];
    const steps = writes.stepsOf(seed, { collections, minLength: 25, maxLength: 45 });
    const sizes = fc.array(fc.integer({ min: 1, max: CONCURRENT }), { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(steps, sizes, async (given, counts) => {
        let token = await feed.now();
        await committed.restart();
        const copy = await snapshot();
        const entries: Change[] = [];
        const misplaced: string[] = [];
        const read = async ({ items, next }: Pick<ChangesBody, 'items' | 'next'>): Promise<void> => {
          token = next;
          entries.push(...items);
          misplaced.push(...(await follow(copy, items)));
        };
        for (let start = 0, turn = 0; start < given.length; turn += 1) {
          const round = given.slice(start, start + (counts[turn % counts.length] ?? 1));
          const [page] = await Promise.all([
            feed.read({ since: token, limit: 5 }),
            ...round.map((step) => take(writes, step)),
          ]);
          await read(page);
          start += round.length;
        }
        // Sends the operations again that failed because another request had deleted an item.
        for (const operation of writes.missing(seed)) await take(writes, { operation });
        await read(await feed.after(token));
        const wrong = {
          misplaced,
          miscounted: await committed.miscounted(entries),
          differing: await differences(copy),
        };
        expect(wrong).toEqual({ misplaced: [], miscounted: [], differing: [] });
        expect({ notAccepted: writes.missing(seed) }).toEqual({ notAccepted: [] });
      }),
      { seed, numRuns: 1, endOnFailure: true },
    );
  },
  900_000,
);

/** Kinds of changes that no request can make. */
const NEVER = ['deleted credentials', 'deleted recruiters'];

test('a change that a trigger does not record is found, for each resource and kind of change', async () => {
  const writes = await RandomWrites.prepare(api, make);
  const unnoticed: string[] = [];
  for (const collection of sampleOf(writes.collections, 8)) {
    const { name, type } = resourceOf(collection);
    for (const [change, usual] of [
      ['created', 'create'],
      ['updated', 'change'],
      ['deleted', 'remove'],
    ] as const) {
      if (NEVER.includes(`${change} ${name}`)) continue;
      // Credentials only change when they are revoked.
      const verb = name === 'credentials' && change === 'updated' ? 'remove' : usual;
      if (verb !== 'create') await writes.create(collection);
      const token = await feed.now();
      const copy = await snapshot();
      const table = `ALTER TABLE ${type.table}`;
      await api.database.query(`${table} DISABLE TRIGGER tr_change_${name}_${change}`);
      await writes.take({ collection, verb, which: -1, value: verb === 'change' ? 2 : 1 });
      await api.database.query(`${table} ENABLE TRIGGER tr_change_${name}_${change}`);
      await follow(copy, (await feed.after(token)).items);
      if ((await differences(copy)).length === 0) unnoticed.push(`${change} ${name}`);
    }
  }
  expect(unnoticed).toEqual([]);
}, 900_000);

test('a change that the feed has twice is found', async () => {
  const writes = await RandomWrites.prepare(api, make);
  const committed = await CommittedChanges.prepare(api);
  const { id } = await writes.create('job_boards');
  const token = await feed.now();
  await committed.restart();
  await api.database.query(`CREATE FUNCTION double_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO changes (resource, item_id, item_uuid, change, dt) VALUES
      (NEW.resource, NEW.item_id, NEW.item_uuid, NEW.change, NEW.dt);
    RETURN NULL;
  END $$`);
  await api.database.query(`CREATE TRIGGER tr_doubled AFTER INSERT ON changes FOR EACH ROW
    WHEN (pg_trigger_depth() = 0 AND NEW.change = 'updated') EXECUTE FUNCTION double_change()`);
  await writes.take({ collection: 'job_boards', verb: 'change', which: -1, value: 2 });
  const { items } = await feed.after(token);
  await api.database.query('DROP TRIGGER tr_doubled ON changes');
  expect(namesOf({ items })).toEqual([`updated job_boards ${id}`, `updated job_boards ${id}`]);
  expect(await committed.miscounted(items)).toEqual([`job_boards ${id}: 2 entries, 1 changes`]);
});
