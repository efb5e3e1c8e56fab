// @group split: npm test runs a short sequence of writes, npm run test:all runs long ones
import { expect, test } from '@jest/globals';
import { getResource } from '@ats/domain';
import * as fc from 'fast-check';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { itemIdsOf } from '../support/form-factories.js';
import { REPLAY_SEEDS } from '../support/replay-seeds.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

/** The collections whose objects raise events. Each has the prefix of its event types. */
const COLLECTIONS = {
  vacancy_applications: 'APPLICATION',
  event_applications: 'APPLICATION',
  candidates: 'CANDIDATE',
  vacancies: 'VACANCY',
  events: 'EVENT',
  postings: 'POSTING',
  job_boards: 'JOB_BOARD',
  forms: 'FORM',
} as const;
type Collection = keyof typeof COLLECTIONS;
const NAMES = Object.keys(COLLECTIONS) as readonly Collection[];

const WRITES = ['create', 'change', 'change', 'remove'] as const;
const OF_APPLICATIONS = [...WRITES, 'move', 'copy', 'copy', 'score', 'values', 'values', 'bulk'] as const;
const OF_OPPORTUNITIES = [...WRITES, 'move', 'score', 'score'] as const;
/**
 * The requests that each collection has. Requests that are often refused occur several times, so that sequences choose
 * them more often.
 */
const VERBS = {
  vacancy_applications: OF_APPLICATIONS,
  event_applications: OF_APPLICATIONS,
  candidates: [...WRITES, 'remove', 'anonymise'],
  vacancies: OF_OPPORTUNITIES,
  events: OF_OPPORTUNITIES,
  postings: WRITES,
  job_boards: WRITES,
  forms: WRITES,
} as const satisfies Readonly<Record<Collection, readonly string[]>>;
interface Step {
  readonly collection: Collection;
  readonly verb: (typeof VERBS)[Collection][number];
  readonly which: number;
  /** The value to write. The range is small, so that some changes change nothing. */
  readonly value: number;
}

const steps = fc.array(
  fc.constantFrom(...NAMES, 'vacancy_applications' as const).chain((collection) =>
    fc.record<Step>({
      collection: fc.constant(collection),
      verb: fc.constantFrom<Step['verb']>(...VERBS[collection]),
      which: fc.nat(30),
      value: fc.integer({ min: 1, max: 3 }),
    }),
  ),
  { minLength: 40, maxLength: 50 },
);

/** Returns all objects of a collection, as its list shows them. */
const all = async (collection: Collection): Promise<readonly Item[]> =>
  expectStatus(200, await api.get(`/${collection}?per_page=500`)).items;

const MAKE: Readonly<Record<Collection, () => Promise<Item>>> = {
  vacancy_applications: () => make.application({ rating: 1 }),
  event_applications: () => make.eventApplication(),
  candidates: () => make.candidate(),
  vacancies: () => make.vacancy({ scoring_rules: [{ expression: 'application.rating > 1', points: 2 }] }),
  events: () => make.event(),
  postings: () => make.posting(),
  job_boards: () => make.jobBoard(),
  forms: () => make.form(),
};

const CHANGED: Readonly<Record<Collection, (value: number) => object>> = {
  vacancy_applications: (rating) => ({ rating }),
  event_applications: (rating) => ({ rating }),
  candidates: (value) => ({ Phone: [{ Label: 'home', Number: String(value) }] }),
  vacancies: (openings) => ({ openings }),
  events: (capacity) => ({ capacity }),
  postings: (value) => ({ title: `Title ${value}` }),
  job_boards: (value) => ({ name: `Board ${value}` }),
  forms: (value) => ({ name: `Form ${value}` }),
};

/** The form whose values the steps write. No step deletes it. */
interface KeptForm {
  readonly id: number;
  readonly item: number;
}

/** Rejects all applications of a candidate. Only then can the candidate be deleted, together with the applications. */
async function rejectApplications(candidate: Item): Promise<void> {
  for (const collection of ['vacancy_applications', 'event_applications'] as const) {
    const { items } = expectStatus(200, await api.get(`/${collection}?search=%2Fuser%2Fid%3D${candidate.id}`));
    for (const { url } of items) await api.put(`${below(url)}/process_state`, { state: 'rejected' });
  }
}

/** Sends the request of one step. The API may refuse it. */
async function take({ verb, collection, which, value }: Step, form: KeptForm): Promise<void> {
  if (verb === 'create') {
    await MAKE[collection]();
    return;
  }
  const found = (await all(collection)).filter(({ id }) => collection !== 'forms' || id !== form.id);
  const applicants = new Set((await all('vacancy_applications')).map(({ user }) => (user as Item).id));
  // Mostly deletes candidates with applications, so that the applications are deleted, too.
  const isOfApplicant = collection === 'candidates' && verb === 'remove' && value > 1;
  const items = isOfApplicant ? found.filter(({ id }) => applicants.has(id)) : found;
  const item = items[which % Math.max(1, items.length)];
  if (!item) return;
  const path = below(item.url);
  const isApplication = COLLECTIONS[collection] === 'APPLICATION';
  const form_values = [{ item_id: form.item, value: String(value) }];
  const others = isApplication ? await all(collection === 'vacancy_applications' ? 'vacancies' : 'events') : [];
  const requests: Readonly<Record<Step['verb'], () => Promise<unknown>>> = {
    create: () => Promise.resolve(),
    change: () => api.request('PATCH', `/api/v1${path}`, { body: CHANGED[collection](value) }),
    remove: () => api.delete(path),
    move: () =>
      isApplication
        ? api.put(`${path}/process_state`, { state: value === 1 ? 'in_review' : 'rejected' })
        : api.put(`${path}/state`, { state: value === 1 ? 'closed' : 'open' }),
    copy: () => api.post(`${path}/copy`, { opp_id: others[which % Math.max(1, others.length)]?.id }),
    anonymise: () => api.post(`${path}/anonymise`),
    score: () => api.post(`${path}/score`),
    values: () => api.post(`${path}/form_values`, { form_values }),
    bulk: () =>
      api.post(`/${collection}/bulk_form_values`, {
        items: items.filter(({ id }) => id % 2 === value % 2).map(({ id }) => ({ id, form_values })),
      }),
  };
  if (collection === 'candidates' && verb === 'remove') await rejectApplications(item);
  await requests[verb]();
}

type Objects = ReadonlyMap<string, string>;

/** Returns the existing objects, each with its content. `updated_dt` and values of other objects are not content. */
async function stored(): Promise<Objects> {
  const found = new Map<string, string>();
  for (const collection of NAMES) {
    const { type } = getResource(collection === 'vacancy_applications' ? 'applications' : collection);
    for (const { id, url } of await all(collection)) {
      const { item } = expectStatus(200, await api.get(below(url)));
      const own = Object.entries(item).filter(
        ([name]) => name !== 'updated_dt' && type.attributes[name]?.readsOtherRows !== true,
      );
      const values = type.name === 'application' ? (await api.get(`${below(url)}/form_values`)).text : '';
      found.set(`${COLLECTIONS[collection]} ${id}`, JSON.stringify(own) + values);
    }
  }
  return found;
}

interface Raised {
  readonly id: number;
  readonly type: string;
  readonly subject_id: number;
}

const raisedSince = (id: number): Promise<readonly Raised[]> =>
  api.database.query('SELECT id, type, subject_id FROM domain_events WHERE id > $1 ORDER BY id', [id]);

const OTHER_TYPES: Readonly<Record<string, string>> = {
  FORM_VALUES_CHANGE: 'APPLICATION',
  STATE_CHANGE_APPLICATION: 'APPLICATION',
  CANDIDATE_ANONYMISE: 'CANDIDATE',
};

/**
 * Returns the objects that an event is about, as keys of {@link stored}. The state change of an opportunity can be
 * about either kind.
 */
function subjectsOf({ type, subject_id }: Raised): readonly string[] {
  if (type === 'STATE_CHANGE_OPPORTUNITY') return [`VACANCY ${subject_id}`, `EVENT ${subject_id}`];
  return [`${OTHER_TYPES[type] ?? type.replace(/_(?:CREATE|UPDATE|DELETE)$/, '')} ${subject_id}`];
}

/**
 * Replays creations and deletions.
 * @returns the objects that exist at the end, and the events that are out of place
 */
function replay(
  before: Objects,
  events: readonly Raised[],
): { objects: ReadonlySet<string>; wrong: readonly Raised[] } {
  const objects = new Set(before.keys());
  const wrong: Raised[] = [];
  for (const event of events) {
    const keys = subjectsOf(event);
    const isKnown = keys.some((key) => objects.has(key));
    const isCreation = event.type.endsWith('_CREATE');
    if (isCreation === isKnown && /_(?:CREATE|UPDATE|DELETE|CHANGE|ANONYMISE)$/.test(event.type)) wrong.push(event);
    for (const key of keys) {
      if (isCreation) objects.add(key);
      if (event.type.endsWith('_DELETE')) objects.delete(key);
    }
  }
  return { objects, wrong };
}

/** Lists objects whose content changed without an event, and events about objects that did not change. */
function disagreements(before: Objects, after: Objects, events: readonly Raised[]): readonly string[] {
  const noted = events.map(subjectsOf);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  const silent = changed.filter((key) => !noted.some((keys) => keys.includes(key))).map((key) => `no event of ${key}`);
  // When a person is anonymised, each application raises an event, although only personal values and `updated_dt`
  // change.
  const isAnonymising = events.some(({ type }) => type === 'CANDIDATE_ANONYMISE');
  const idle = events.filter(
    (event) =>
      !(isAnonymising && event.type === 'APPLICATION_UPDATE') &&
      !subjectsOf(event).some((key) => changed.includes(key) || (!before.has(key) && !after.has(key))),
  );
  const doubled = events.filter(
    (event) =>
      events.filter(({ type, subject_id }) => type === event.type && subject_id === event.subject_id).length > 1,
  );
  return [...silent, ...[...idle, ...doubled].map(({ type, subject_id }) => `${type} ${subject_id}`)];
}

/** Time in ms that the many requests may take on a busy machine. */
const BUSY_MS = 900_000;

test.each(REPLAY_SEEDS)(
  'events replay to exactly the objects that exist, and each change has exactly one event: seed %i',
  async (seed) => {
    const kept = await make.form();
    const form = { id: kept.id, item: itemIdsOf(kept)['answer'] ?? 0 };
    for (const name of NAMES) await MAKE[name]();
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        let [last] = await api.database.query<{ id: number }>('SELECT max(id) AS id FROM domain_events');
        let before = await stored();
        for (const step of sequence) {
          await take(step, form);
          const events = (await raisedSince(last?.id ?? 0)).filter(({ type }) => !type.startsWith('COMMUNICATION_'));
          const after = await stored();
          const { objects, wrong } = replay(before, events);
          expect({ step, wrong, objects }).toEqual({ step, wrong: [], objects: new Set(after.keys()) });
          expect({ step, found: disagreements(before, after, events) }).toEqual({ step, found: [] });
          last = events.at(-1) ?? last;
          before = after;
        }
      }),
      { seed, numRuns: 1, endOnFailure: true },
    );
  },
  BUSY_MS,
);
