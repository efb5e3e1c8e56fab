// @group sample: npm test runs a quarter of its tests
import { collectionNames, EVENT_TYPES, getResource } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { eventCauses } from './event-causes.js';

const { api, make } = useApi();

/** The read scopes of the kinds of subjects, without `notifications`, which every reader of events needs. */
const SCOPES = [
  'applications',
  'vacancies',
  'events',
  'postings',
  'candidates',
  'job_boards',
  'forms',
  'communications',
  'credentials',
  'documents',
] as const;
/** Maps an event type to the subjects of its events. */
let subjects: ReadonlyMap<string, readonly Item[]>;

beforeAll(async () => {
  const made = new Map<string, readonly Item[]>();
  for (const [type, cause] of Object.entries(eventCauses(api, make))) made.set(type, await cause());
  subjects = made;
});

/** Returns the scope that reads an item, without `:read`. */
const scopeOf = ({ url }: Item): string => {
  const path = below(url).split('/')[1] ?? '';
  const name = collectionNames().find((collection) => getResource(collection).paths.includes(path)) ?? path;
  return getResource(name).scope;
};

const LIST = '/notification_events?per_page=1000&since_id=0';

/** Returns the subjects of all events, as a client with all scopes sees them. */
const allSubjects = async (): Promise<readonly Item[]> =>
  (await api.get(LIST)).items.map(({ subject }) => subject as Item);

describe('the subject of an event', () => {
  test.each([...EVENT_TYPES])('of the type %s is shown with its id and URL', async (type) => {
    const made = (subjects.get(type) ?? []).map(({ id, url }) => ({ id, url }));
    const shown = (await api.get(`${LIST}&type=${type}`)).items.map(({ subject }) => subject);
    expect(made.length).toBeGreaterThan(0);
    // The causes of other event types also create, change and delete objects. The events of these types therefore have
    // further subjects.
    const isRaisedByOthers = /_(?:CREATE|CREATED|UPDATE|DELETE)$/.test(type);
    expect(shown).toEqual(isRaisedByOthers ? expect.arrayContaining(made) : made);
    expect(shown).not.toContainEqual(expect.objectContaining({ url: null }));
  });

  test('is null without the read scope of the subject, and the event stays in the list', async () => {
    const token = await make.token('notifications:read');
    const whole = (await api.get(LIST)).items;
    const read = expectStatus(200, await api.get(LIST, { token })).items;
    const isReadable = ({ subject }: Item): boolean => scopeOf(subject as Item) === 'notifications';
    expect(whole.filter(isReadable)).toHaveLength(3);
    expect(read).toEqual(whole.map((event) => (isReadable(event) ? event : { ...event, subject: null })));
  });

  test.each(SCOPES)('is shown in lists and single events to readers of %s alone', async (scope) => {
    const token = await make.token('notifications:read', `${scope}:read`);
    const { items } = expectStatus(200, await api.get(LIST, { token }));
    const shown = items.map(({ subject }) => (subject as Item | null)?.url).filter((url) => url !== undefined);
    const readable = (await allSubjects()).filter((subject) => [scope, 'notifications'].includes(scopeOf(subject)));
    expect(new Set(shown)).toEqual(new Set(readable.map(({ url }) => url)));
    expect(readable.map(scopeOf)).toContain(scope);
    const whole = (await api.get(LIST)).items;
    for (const [index, event] of items.entries()) {
      const single = expectStatus(200, await api.get(`/notification_events/${event.id}`, { token }));
      expect(single.item).toEqual(event);
      if (event['subject'] !== null) expect(event).toEqual(whole[index]);
    }
  });

  test('cannot be found out by a search, a filter or a sort', async () => {
    const token = await make.token('notifications:read', 'postings:read');
    const isReadable = (subject: Item): boolean => ['postings', 'notifications'].includes(scopeOf(subject));
    const readable = [...subjects].flatMap(([type, items]) => (items.every(isReadable) ? [type] : []));
    for (const { id, url } of [...subjects.values()].flat().filter((subject) => !isReadable(subject))) {
      const others = `search=/type!={${readable.join()}}`;
      const found = await api.get(`/notification_events?search=/subject/id=${id}&${others}`, { token });
      expect(found.items).toEqual([]);
      expect((await api.get(`/notification_events?search=/subject/url=${url}`, { token })).items).toEqual([]);
    }
    const sorted = await api.get('/notification_events?sort=subject.id!desc&per_page=1000', { token });
    const shown = (await api.get(LIST)).items.filter(({ subject }) => isReadable(subject as Item));
    expect(sorted.items.filter(({ subject }) => subject !== null)).toHaveLength(shown.length);
  });
});
