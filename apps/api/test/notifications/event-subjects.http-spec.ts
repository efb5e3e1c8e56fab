import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

/** The read scope of each kind of subject. */
const SCOPES = ['applications', 'vacancies', 'events', 'postings'] as const;
let subjects: Readonly<Record<(typeof SCOPES)[number], readonly Item[]>>;

beforeAll(async () => {
  const moved = async (item: Item, property: string, state: string): Promise<Item> => {
    expectStatus(200, await api.put(`${below(item.url)}/${property}`, { state }));
    return item;
  };
  subjects = {
    applications: [
      await moved(await make.application(), 'process_state', 'in_review'),
      await moved(await make.eventApplication(), 'process_state', 'confirmed'),
    ],
    vacancies: [await moved(await make.vacancy(), 'state', 'closed')],
    events: [await moved(await make.event(), 'state', 'closed')],
    postings: [await make.posting()],
  };
});

const LIST = '/notification_events?per_page=1000&since_id=0';

describe('the subject of an event', () => {
  test('is null without the read scope of the subject, and the event stays in the list', async () => {
    const whole = (await api.get(LIST)).items;
    const read = expectStatus(200, await api.get(LIST, { token: await make.token('notifications:read') })).items;
    expect(read).toEqual(whole.map((event) => ({ ...event, subject: null })));
  });

  test.each(SCOPES)('is shown in lists and single events to readers of %s alone', async (scope) => {
    const token = await make.token('notifications:read', `${scope}:read`);
    const { items } = expectStatus(200, await api.get(LIST, { token }));
    const shown = items.map(({ subject }) => (subject as Item | null)?.url).filter((url) => url !== undefined);
    expect(new Set(shown)).toEqual(new Set(subjects[scope].map(({ url }) => url)));
    const whole = (await api.get(LIST)).items;
    for (const [index, event] of items.entries()) {
      const single = expectStatus(200, await api.get(`/notification_events/${event.id}`, { token }));
      expect(single.item).toEqual(event);
      if (event['subject'] !== null) expect(event).toEqual(whole[index]);
    }
  });

  test('cannot be found out by a search, a filter or a sort', async () => {
    const token = await make.token('notifications:read', 'postings:read');
    for (const { id, url } of [...subjects.applications, ...subjects.vacancies, ...subjects.events]) {
      const found = await api.get(`/notification_events?search=/subject/id=${id}&search=/type!={POSTING_CREATE}`, {
        token,
      });
      expect(found.items).toEqual([]);
      expect((await api.get(`/notification_events?search=/subject/url=${url}`, { token })).items).toEqual([]);
    }
    const sorted = await api.get('/notification_events?sort=subject.id!desc&per_page=1000', { token });
    expect(sorted.items.filter(({ subject }) => subject !== null)).toHaveLength(1);
  });
});
