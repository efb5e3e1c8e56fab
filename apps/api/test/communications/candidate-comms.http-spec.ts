import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { at, BELOW, type Version } from '../versions/html-reading.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
/** The applications of one candidate: two to vacancies, of which one has no communications, and one to an event. */
let first: Item;
let silent: Item;
let event: Item;
/**
 * The communications of the candidate in the order of their creation. The third one is about an application that was
 * deleted.
 */
let said: readonly Item[];

beforeAll(async () => {
  const user_id = (await make.candidate()).id;
  [first, silent, event] = [
    await make.application({ user_id }),
    await make.application({ user_id }),
    await make.eventApplication({ user_id }),
  ];
  const gone = await make.application({ user_id });
  const about = async (application: Item, properties: object = {}): Promise<Item> =>
    make.communication({ application, ...properties });
  said = [
    await about(first, { subject: 'Alpha' }),
    await about(event, { subject: 'Beta', type: 'note' }),
    await about(gone, { subject: 'Gamma' }),
    await about(first, { subject: 'Delta' }),
  ];
  await make.communication({
    subject: 'Alpha',
    application: await make.application({ opportunity_id: (first['opportunity'] as Item).id }),
  });
  expectStatus(204, await api.delete(below(gone.url)));
});

const commsOf = (name: string, { id }: Item): string => `/${name}/${id}/comms`;
const list = (path: string, version: Version): Promise<Answer> => api.get(path, at(version));
const idsOf = (answer: Answer): readonly number[] => expectStatus(200, answer).items.map(({ id }) => id);
const idsSaid = (...indexes: readonly number[]): readonly (number | undefined)[] =>
  indexes.map((index) => said[index]?.id);

const VACANCY = ['applications', 'vacancy_applications'] as const;
const EVENT = ['event_applications', 'event_registrations'] as const;

describe('the communications of an application', () => {
  test.each(VACANCY)('are those of the application from 1.9 on, of its candidate below 1.9, at /%s', async (name) => {
    expect(idsOf(await list(commsOf(name, first), '1.9'))).toEqual(idsSaid(0, 3));
    expect(idsOf(await list(commsOf(name, silent), '1.9'))).toEqual([]);
    for (const version of BELOW) {
      expect(idsOf(await list(commsOf(name, first), version))).toEqual(idsSaid(0, 1, 2, 3));
      expect(idsOf(await list(commsOf(name, silent), version))).toEqual(idsSaid(0, 1, 2, 3));
    }
  });

  test.each(EVENT)(
    'are those of the application from 1.9 on, of its candidate below 1.9, at the event path /%s',
    async (name) => {
      expect(idsOf(await list(commsOf(name, event), '1.9'))).toEqual(idsSaid(1));
      for (const version of BELOW)
        expect(idsOf(await list(commsOf(name, event), version))).toEqual(idsSaid(0, 1, 2, 3));
    },
  );

  test('equal the items of the collection of all communications', async () => {
    const path = `/communications?search=/candidate/id=${(first['candidate'] as Item).id}`;
    for (const version of ['1.7', '1.8'] as const)
      expect((await list(commsOf('applications', silent), version)).items).toEqual((await list(path, version)).items);
    const { items } = await list(commsOf('applications', silent), '1.8');
    expect(items.map(({ application }) => (application as Item | null)?.id ?? null)).toEqual([
      first.id,
      event.id,
      null,
      first.id,
    ]);
  });

  test('are paged within their own application', async () => {
    const next =
      /<[^>]*\?([^>]*)>; rel="next"/.exec(
        String((await list(`${commsOf('applications', first)}?per_page=1`, '1.9')).headers['link']),
      )?.[1] ?? '';
    const page = (item: Item, version: Version) => list(`${commsOf('applications', item)}?${next}`, version);
    expect(idsOf(await page(first, '1.9'))).toEqual(idsSaid(3));
    expect([(await page(silent, '1.9')).status, (await page(first, '1.8')).status]).toEqual([400, 400]);
  });

  test('get 404 for a missing application or an application of the other kind', async () => {
    for (const version of [...BELOW, '1.9'] as const) {
      for (const path of [
        ...VACANCY.map((name) => commsOf(name, event)),
        ...EVENT.map((name) => commsOf(name, first)),
        '/applications/999999999/comms',
      ]) {
        expect([path, (await list(path, version)).status]).toEqual([path, 404]);
      }
    }
  });

  test('below 1.9 support paging, counts, filters and sorting', async () => {
    const path = commsOf('applications', silent);
    const found = async (query: string) => idsOf(await list(`${path}?${query}`, '1.8'));
    expect(await found('sort=subject!desc')).toEqual(idsSaid(2, 3, 1, 0));
    expect(await found('filter=LPH')).toEqual(idsSaid(0));
    expect(await found('search=/type=note')).toEqual(idsSaid(1));
    expect(await found(`search=/application/id=${first.id}&search=/subject=~a`)).toEqual(idsSaid(0, 3));
    expect(await found('search=/application=')).toEqual(idsSaid(2));
    const selection = await make.selection({
      resource: 'communications',
      members: [said[1], said[2]].flatMap((item) => item ?? []),
    });
    expect(await found(`selection=${selection.id}`)).toEqual(idsSaid(1, 2));

    const page = await list(`${path}?per_page=3`, '1.8');
    expect([idsOf(page), page.headers['x-total-count']]).toEqual([idsSaid(0, 1, 2), '4']);
    const next = below(/<([^>]*)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1] ?? '');
    expect(next).toContain(`${path}?per_page=3&page=2`);
    expect(idsOf(await list(next, '1.8'))).toEqual(idsSaid(3));
    expect((await list(`${path}?search=/nothing=1&per_page=0`, '1.8')).violations).toEqual([
      'invalid ?per_page',
      'invalid ?search',
    ]);
    expect((await list(path, '1.9')).headers['x-total-count']).toBe('0');
  });

  test('below 1.9 can have a layout', async () => {
    const layout = await make.layout({
      resource: 'communications',
      columns: [{ title: 'For', datapath: 'communication.application.reference' }],
    });
    const { items } = expectStatus(200, await list(`${commsOf('applications', silent)}?layout=${layout.id}`, '1.8'));
    expect(items.map((item) => item['layout_data'])).toEqual(
      [first, event, null, first].map((application) => [{ value: application?.['reference'] ?? null }]),
    );
  });

  test('need the same scopes in all versions', async () => {
    const [reader, other] = [
      await make.token('communications:read'),
      await make.token('applications:read', 'candidates:read'),
    ];
    for (const version of ['1.8', '1.9'] as const) {
      expectStatus(200, await api.get(commsOf('applications', first), { ...at(version), token: reader }));
      expectStatus(403, await api.get(commsOf('applications', first), { ...at(version), token: other }));
      expectStatus(
        403,
        await api.get(`${commsOf('applications', first)}?search=communication.candidate.lastname=~x`, {
          ...at(version),
          token: reader,
        }),
      );
    }
  });

  test('are counted again after a write, in each version', async () => {
    const application = await make.application({ user_id: (first['user'] as Item).id });
    const counts = async () =>
      Promise.all(
        (['1.8', '1.9'] as const).map(
          async (version) =>
            (await list(`${commsOf('applications', application)}?per_page=1`, version)).headers['x-total-count'],
        ),
      );
    const before = await counts();
    await make.communication({ application });
    expect([before, await counts()]).toEqual([
      ['4', '0'],
      ['5', '1'],
    ]);
  });
});

test('the collection of all communications is the same in every version', async () => {
  const expected = idsOf(await list('/communications', '1.9'));
  for (const version of BELOW) expect(idsOf(await list('/communications', version))).toEqual(expected);
});
