// @group split: npm test runs a short sequence of writes, npm run test:all runs long ones
import { describe, expect, test } from '@jest/globals';
import { EVENT_ROOTS, EVENT_TYPES, type EventType, getResource } from '@ats/domain';
import * as fc from 'fast-check';
import { type Api } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { sampleOf } from '../support/long-part.js';
import { type Collection, RandomWrites } from '../support/random-writes.js';
import { REPLAY_SEEDS } from '../support/replay-seeds.js';
import { useApi } from '../support/use-api.js';

/** The collections whose objects raise events. */
const NAMES = [
  ...(['vacancy_applications', 'event_applications', 'candidates', 'vacancies', 'events'] as const),
  ...(['postings', 'job_boards', 'forms', 'documents', 'credentials'] as const),
] satisfies readonly Collection[];
const SEQUENCE = { collections: [...NAMES, 'vacancy_applications'], minLength: 30, maxLength: 40 } as const;

const typeOf = (collection: Collection): ReturnType<typeof getResource>['type'] =>
  getResource(collection === 'vacancy_applications' ? 'applications' : collection).type;

/** The types of the objects that raise events. */
const ROOTS: ReadonlySet<string> = new Set(NAMES.map((collection) => typeOf(collection).name));

/** Maps the type and the id of an existing object, such as `candidate 7`, to its content as text. */
type Objects = ReadonlyMap<string, string>;

/** Times that are not compared. The use of a credential does not count as a change of it. */
const NO_CONTENT = ['updated_dt', 'last_used_dt'];

/** The types of the objects that can have form values. Form values are a part of the content. */
const WITH_FORM_VALUES = ['application', 'vacancy', 'event'];

interface Stored {
  readonly objects: Objects;
  /** Maps the same keys to the values of `updated_dt`. */
  readonly updated: ReadonlyMap<string, unknown>;
}

/**
 * Reads the existing objects with their content. Values that the service computes from other rows are not a part of it.
 */
async function stored(api: Api): Promise<Stored> {
  const found = new Map<string, string>();
  const updated = new Map<string, unknown>();
  for (const collection of NAMES) {
    const type = typeOf(collection);
    const { items } = expectStatus(200, await api.get(`/${collection}?per_page=500`));
    for (const item of items) {
      const own = Object.entries(item).filter(
        ([name]) => !NO_CONTENT.includes(name) && type.attributes[name]?.readsOtherRows !== true,
      );
      const hasValues = WITH_FORM_VALUES.includes(type.name);
      const values = hasValues ? expectStatus(200, await api.get(`${below(item.url)}/form_values`)).text : '';
      found.set(`${type.name} ${item.id}`, JSON.stringify(own) + values);
      updated.set(`${type.name} ${item.id}`, item['updated_dt']);
    }
  }
  return { objects: found, updated };
}

interface Raised {
  readonly id: number;
  readonly type: EventType;
  readonly subject_id: number;
  /** The value of `updated_dt` of the subject in the snapshot. */
  readonly updated_dt: string | null;
}

/**
 * Returns the objects that an event is about, as keys of {@link stored}. The state change of an opportunity can be
 * about either kind.
 */
function subjectsOf({ type, subject_id }: Raised): readonly string[] {
  const root = EVENT_ROOTS[type];
  return (root === 'opportunity' ? ['vacancy', 'event'] : [root]).map((name) => `${name} ${subject_id}`);
}

/**
 * Replays creations and deletions. Returns the misplaced events, and the objects that exist either in the replay or in
 * `after`, but not in both.
 */
function misplaced(before: Objects, after: Objects, events: readonly Raised[]): readonly string[] {
  const objects = new Set(before.keys());
  const wrong: string[] = [];
  for (const event of events) {
    const keys = subjectsOf(event);
    const isCreation = /_CREATED?$/.test(event.type);
    if (isCreation === keys.some((key) => objects.has(key))) wrong.push(`${event.type} ${event.subject_id}`);
    for (const key of keys) {
      if (isCreation) objects.add(key);
      if (event.type.endsWith('_DELETE')) objects.delete(key);
    }
  }
  const differing = [...new Set([...objects, ...after.keys()])].filter((key) => objects.has(key) !== after.has(key));
  return [...wrong, ...differing.map((key) => `the replay differs in ${key}`)];
}

/**
 * Returns the objects whose content changed without an event, the events about objects that did not change, and the
 * events that occur twice.
 */
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

/** Lists objects whose last event has a snapshot from before their last change. */
function outdated(updated: ReadonlyMap<string, unknown>, events: readonly Raised[]): readonly string[] {
  const last = new Map(events.flatMap((event) => subjectsOf(event).map((key) => [key, event] as const)));
  return [...last].flatMap(([key, { type, updated_dt }]) =>
    updated.has(key) && updated.get(key) !== updated_dt ? [`${type} of ${key} has an old snapshot`] : [],
  );
}

/** Compares the events of writes with the changes of the stored objects. */
class Comparison {
  private constructor(
    private readonly api: Api,
    private lastId: number,
    private objects: Objects,
  ) {}

  static async start(api: Api): Promise<Comparison> {
    const [last] = await api.database.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM domain_events');
    return new Comparison(api, last?.id ?? 0, (await stored(api)).objects);
  }

  /** Returns the differences between the events and the changes since the last comparison. */
  async next(): Promise<readonly string[]> {
    const raised = await this.api.database.query<Raised>(
      `SELECT id, type, subject_id, facts ->> (subject_type || '.updated_dt') AS updated_dt
       FROM domain_events WHERE id > $1 ORDER BY id`,
      [this.lastId],
    );
    const before = this.objects;
    const { objects: after, updated } = await stored(this.api);
    this.lastId = raised.at(-1)?.id ?? this.lastId;
    this.objects = after;
    const events = raised.filter(({ type }) => ROOTS.has(EVENT_ROOTS[type]) || EVENT_ROOTS[type] === 'opportunity');
    return [...misplaced(before, after, events), ...disagreements(before, after, events), ...outdated(updated, events)];
  }
}

/** Timeout of a test in ms. Its many requests may take this long on a busy machine. */
const BUSY_MS = 900_000;

// Each seed has an API of its own. Reading all objects after each step would take longer on a database that grows.
describe.each(REPLAY_SEEDS)('events replay to exactly the objects that exist: seed %i', (seed) => {
  const { api, make } = useApi();

  test(
    'each change has exactly one event',
    async () => {
      const writes = await RandomWrites.prepare(api, make);
      for (const collection of NAMES) await writes.create(collection);
      await fc.assert(
        fc.asyncProperty(writes.stepsOf(seed, SEQUENCE), async (steps) => {
          const comparison = await Comparison.start(api);
          for (const step of steps) {
            const found: string[] = [];
            const compare = async (): Promise<void> => void found.push(...(await comparison.next()));
            await writes.take(step, compare);
            await compare();
            expect({ step, found }).toEqual({ step, found: [] });
          }
          expect({ notAccepted: writes.missing(seed) }).toEqual({ notAccepted: [] });
        }),
        { seed, numRuns: 1, endOnFailure: true },
      );
    },
    BUSY_MS,
  );
});

/** Returns the collection whose writes raise the events of a type. */
const collectionOf = (type: EventType): Collection | undefined =>
  EVENT_ROOTS[type] === 'opportunity'
    ? 'vacancies'
    : NAMES.find((collection) => typeOf(collection).name === EVENT_ROOTS[type]);

/** The event types that writes of clients raise. The type that is left out comes from the retention of candidates. */
const RAISED = EVENT_TYPES.flatMap((type) => {
  const collection = type === 'CANDIDATE_ANONYMISATION_DUE' ? undefined : collectionOf(type);
  return collection ? [{ type, collection }] : [];
});

describe('an event that is missing', () => {
  const { api, make } = useApi();

  /** Creates, changes, moves, anonymises and deletes an item, and compares after each request. */
  async function differencesOf(collection: Collection, writes: RandomWrites): Promise<readonly string[]> {
    const comparison = await Comparison.start(api);
    const found: string[] = [];
    for (const verb of ['create', 'change', 'values', 'move', 'anonymise', 'remove'] as const) {
      await writes.take({ collection, verb, which: -1, value: verb === 'change' ? 2 : 1 });
      found.push(...(await comparison.next()));
    }
    return found;
  }

  test(
    'is found, for each event type',
    async () => {
      const writes = await RandomWrites.prepare(api, make);
      const differences: string[] = [];
      for (const collection of sampleOf(NAMES, 8)) differences.push(...(await differencesOf(collection, writes)));
      expect(differences).toEqual([]);
      await api.database.query(
        `CREATE FUNCTION lose_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
      );
      const unnoticed: string[] = [];
      for (const { type, collection } of sampleOf(RAISED, 8)) {
        await api.database.query(`CREATE TRIGGER tr_lost BEFORE INSERT ON domain_events FOR EACH ROW
          WHEN (NEW.type = '${type}') EXECUTE FUNCTION lose_event()`);
        if ((await differencesOf(collection, writes)).length === 0) unnoticed.push(type);
        await api.database.query('DROP TRIGGER tr_lost ON domain_events');
      }
      expect(unnoticed).toEqual([]);
    },
    BUSY_MS,
  );
});
