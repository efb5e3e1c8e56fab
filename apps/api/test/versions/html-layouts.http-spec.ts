// @group sample: npm test runs a quarter of its tests
import { allResources, collectionNames, findResource, getObjectType, type Resource } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { asRead, at, BELOW, ESCAPED, HOSTILE, HTML, readHtml, RICH, RICH_PLAIN, type Version } from './html-reading.js';
import { useApi } from '../support/use-api.js';

interface Shown {
  readonly value: unknown;
  readonly value_raw?: unknown;
}

const { api, make } = useApi();

const layoutOf = async (resource: string, datapaths: readonly string[]): Promise<Item> =>
  make.layout({ resource, columns: datapaths.map((datapath) => ({ title: 'T', datapath })) });

/** Reads `layout_data` of an item. Expects the same data in the item and in its collection. */
async function shown(
  resource: string,
  id: number,
  { layout, version, isHtml }: { readonly layout: Item; readonly version: Version; readonly isHtml: boolean },
): Promise<readonly Shown[]> {
  const query = `layout=${layout.id}${isHtml ? `&${HTML}` : ''}`;
  const alone = expectStatus(200, await api.get(`/${resource}/${id}?${query}`, at(version))).item;
  const { items } = expectStatus(200, await api.get(`/${resource}?search=id=${id}&${query}`, at(version)));
  expect(items).toEqual([alone]);
  return alone['layout_data'] as readonly Shown[];
}

interface Golden {
  readonly datapath: string;
  /** The value that the layout shows as plain text. */
  readonly plain: unknown;
  /** The value as HTML from 1.9 on. Defaults to `plain`. */
  readonly html?: unknown;
  /** The value as HTML below 1.9. */
  readonly below: unknown;
  /** The `value_raw` beside `plain` and `html`. `rawBelow` is the `value_raw` beside `below`. */
  readonly raw?: unknown;
  readonly rawBelow?: unknown;
}

async function expectGolden(resource: string, id: number, columns: readonly Golden[]): Promise<void> {
  const layout = await layoutOf(
    resource,
    columns.map(({ datapath }) => datapath),
  );
  const named = (data: readonly Shown[]) => data.map((one, index) => ({ datapath: columns[index]?.datapath, ...one }));
  const expected = (value: (column: Golden) => unknown, raw: (column: Golden) => unknown) =>
    columns.map((column) => ({
      datapath: column.datapath,
      value: value(column),
      ...('raw' in column && { value_raw: raw(column) }),
    }));
  const plain = expected(
    ({ plain }) => plain,
    ({ raw }) => raw,
  );
  for (const version of [...BELOW, '1.9'] as const)
    expect(named(await shown(resource, id, { layout, version, isHtml: false }))).toEqual(plain);
  const html = expected(
    (column) => ('html' in column ? column.html : column.plain),
    ({ raw }) => raw,
  );
  expect(named(await shown(resource, id, { layout, version: '1.9', isHtml: true }))).toEqual(html);
  const below = expected(
    ({ below }) => below,
    ({ rawBelow }) => rawBelow,
  );
  for (const version of BELOW)
    expect(named(await shown(resource, id, { layout, version, isHtml: true }))).toEqual(below);
}

const same = (datapath: string, value: unknown): Golden => ({ datapath, plain: value, below: value });
const named = (datapath: string, value: readonly [plain: unknown, below: unknown], id: number | null): Golden => ({
  datapath,
  plain: value[0],
  below: value[1],
  raw: id,
  rawBelow: id === null ? null : String(id),
});

describe('layout_data with rich_txt_fmt=html', () => {
  test('has every value of a vacancy application as HTML below 1.9, and only rich text from 1.9 on', async () => {
    const person = {
      firstname: 'Ada <b>',
      lastname: "O'Hara & Co",
      date_of_birth: '1990-12-10',
      Email: [
        { Label: 'work', Address: "o'hara&co@example.com" },
        { Label: 'primary', Address: 'a@example.com' },
      ],
    };
    const candidate = await make.candidate(person);
    const owner = await make.recruiter({ firstname: '"G"', lastname: 'مرحبا' });
    const vacancy = await make.vacancy({
      title: HOSTILE.slice(0, 255),
      description: RICH,
      owner_id: owner.id,
      openings: 0,
      salary_min: 1200.5,
      salary_max: 999_999_999_999.99,
      closing_date: '2030-01-31',
      tags: ['a<b', '"&amp;"'],
    });
    const application = await make.application({
      user_id: candidate.id,
      opportunity_id: vacancy.id,
      rating: 4,
      source: '&lt;i&gt; 😀',
      tags: ["it's", '\\ \n'],
    });
    await api.database.query('UPDATE applications SET score = -12.50 WHERE id = $1', [application.id]);
    const state = application['process_state'] as { readonly state_id: number };
    await expectGolden('applications', application.id, [
      { datapath: 'id', plain: application.id, below: String(application.id) },
      same('uuid', application['uuid']),
      same('app_type', 'vacancy_application'),
      { datapath: 'source', plain: '&lt;i&gt; 😀', below: '&amp;lt;i&amp;gt; 😀' },
      { datapath: 'rating', plain: 4, below: '4' },
      { datapath: 'score', plain: -12.5, below: '-12.5' },
      { datapath: 'tags', plain: ["it's", '\\ \n'], below: ['it&#39;s', '\\ \n'] },
      { datapath: 'age_days', plain: 0, below: '0' },
      same('submitted_dt', application['submitted_dt']),
      same('hired_dt', null),
      named('user', ["Ada <b> O'Hara & Co", 'Ada &lt;b&gt; O&#39;Hara &amp; Co'], candidate.id),
      { datapath: 'user.lastname', plain: "O'Hara & Co", below: 'O&#39;Hara &amp; Co' },
      same('candidate.date_of_birth', '1990-12-10'),
      {
        datapath: 'candidate.Email.Address',
        plain: ["o'hara&co@example.com", 'a@example.com'],
        below: ['o&#39;hara&amp;co@example.com', 'a@example.com'],
      },
      same('candidate.Phone.Number', []),
      named('main_process_state', ['Submitted', 'Submitted'], state.state_id),
      same('main_process_state.state.state', 'submitted'),
      named('posting', [null, null], null),
      same('posting.description', null),
      same('posting.is_withdrawn', null),
      named('opportunity', [HOSTILE, ESCAPED], vacancy.id),
      { datapath: 'vacancy.title', plain: HOSTILE, below: ESCAPED },
      { datapath: 'vacancy.description', plain: RICH_PLAIN, html: RICH, below: RICH },
      { datapath: 'opportunity.description', plain: RICH_PLAIN, html: RICH, below: RICH },
      { datapath: 'vacancy.openings', plain: 0, below: '0' },
      { datapath: 'vacancy.application_count', plain: 1, below: '1' },
      { datapath: 'vacancy.salary_min', plain: 1200.5, below: '1200.5' },
      { datapath: 'vacancy.salary_max', plain: 999_999_999_999.99, below: '999999999999.99' },
      same('vacancy.closing_date', '2030-01-31'),
      same('vacancy.opening_date', null),
      { datapath: 'vacancy.tags', plain: ['a<b', '"&amp;"'], below: ['a&lt;b', '&quot;&amp;amp;&quot;'] },
      named('vacancy.owner', ['"G" مرحبا', '&quot;G&quot; مرحبا'], owner.id),
      { datapath: 'vacancy.owner.is_active', plain: true, below: 'true' },
      same('event.capacity', null),
      same('event.tags', []),
    ]);
  });

  test('has every value of an event application as HTML below 1.9, and only rich text from 1.9 on', async () => {
    const event = await make.event({ title: '1 < 2', description: '', venue: null, capacity: 2_147_483_647 });
    const application = await make.eventApplication({ opportunity_id: event.id });
    await expectGolden('event_applications', application.id, [
      named('event', ['1 < 2', '1 &lt; 2'], event.id),
      { datapath: 'opportunity.title', plain: '1 < 2', below: '1 &lt; 2' },
      { datapath: 'event.capacity', plain: 2_147_483_647, below: '2147483647' },
      same('event.start_dt', '2030-05-01T09:00:00.000Z'),
      same('event.venue', null),
      { datapath: 'event.description', plain: '', html: '', below: '' },
      same('vacancy.salary_min', null),
      same('score', null),
    ]);
  });

  test('has lists of objects and ids as HTML below 1.9', async () => {
    const labels = ['a < b', '"c"'];
    const form = await make.form({
      sections: labels.map((name) => ({
        name,
        items: [{ key: name.replaceAll(/\W/g, '') || 'x', label: name, type: 'text' }],
      })),
      opportunity_ids: [(await make.vacancy()).id],
    });
    const ids = (form['sections'] as readonly Item[]).map(({ id }) => id);
    const layout = await layoutOf('forms', ['sections', 'sections.id', 'sections.repeatable', 'opportunity_ids']);
    const [sections, sectionIds, repeatable, opportunities] = await shown('forms', form.id, {
      layout,
      version: '1.8',
      isHtml: true,
    });
    expect([sections?.value, sections?.value_raw]).toEqual([['a &lt; b', '&quot;c&quot;'], ids.map(String)]);
    expect([sectionIds?.value, repeatable?.value]).toEqual([ids.map(String), ['false', 'false']]);
    expect(opportunities?.value).toEqual((form['opportunity_ids'] as readonly number[]).map(String));
  });

  test('names states and options in the language of the request', async () => {
    const application = await make.application();
    const layout = await layoutOf('applications', ['main_process_state']);
    const speaking = async (language: string) =>
      (
        await api.get(`/applications/${application.id}?layout=${layout.id}&${HTML}`, {
          headers: { 'accept-language': language },
        })
      ).item['layout_data'];
    expect(await speaking('de')).toMatchObject([{ value: 'Eingegangen' }]);
    expect(await speaking('ar')).toMatchObject([
      { value: expect.stringMatching(/\p{Script=Arabic}/u), value_raw: '101' },
    ]);
  });
});

/** Makes texts with markup for all properties in which clients may write any text. */
const hostileTexts = ({ type }: Resource): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(type.attributes)
      .filter(
        ([, { type: kind, write, values, format, many }]) => kind === 'text' && write && !values && !format && !many,
      )
      .map(([name]) => [name, HOSTILE]),
  );

describe('every attribute of a collection', () => {
  beforeAll(async () => {
    const [vacancy, event] = [
      await make.vacancy({ title: HOSTILE, description: RICH, location: HOSTILE, salary_min: 10.1 }),
      await make.event({ title: HOSTILE, description: RICH, venue: HOSTILE }),
    ];
    const texts = { lastname: HOSTILE, current_employer: HOSTILE, tags: ['<', '&amp;'] };
    const candidate = await make.candidate(texts);
    const application = await make.application({
      opportunity_id: vacancy.id,
      user_id: candidate.id,
      source: HOSTILE,
      tags: ['<', '&amp;'],
      rating: 3,
    });
    await make.eventApplication({ opportunity_id: event.id, user_id: candidate.id });
    await make.posting({
      vacancy_id: vacancy.id,
      title: HOSTILE,
      description: RICH,
      location: HOSTILE,
      job_board_id: (await make.jobBoard({ name: HOSTILE })).id,
    });
    await make.communication({ application, subject: '<Hello> & "you"', body: RICH });
    await make.messageTemplate({ name: HOSTILE });
    await make.form({ name: HOSTILE });
    await make.subscription();
    await make.savedSearch({ name: HOSTILE, search: ['lastname=~<'], filter: '&amp;' });
    await make.configSearch({ name: HOSTILE });
    await make.selection({ name: HOSTILE, members: [candidate] });
    await make.credential({ name: HOSTILE });
    await make.clientCertificate({ name: HOSTILE });
    for (const resource of allResources().filter(({ describe: { example } }) => example)) {
      const { items } = expectStatus(200, await api.get(`/${resource.paths[0]}`));
      if (items.length === 0) await make.item(resource, hostileTexts(resource));
    }
  });

  test.each(collectionNames())('shows the same text as HTML below 1.9 as in plain form: %s', async (name) => {
    const { type, paths } = findResource(name) ?? {};
    if (!type || !paths) throw new Error(`there is no resource ${name}`);
    const { relations, attributes } = getObjectType(type.name);
    const named = Object.keys(relations).filter(
      (relation) => getObjectType(relations[relation]?.target ?? '').label !== undefined,
    );
    const datapaths = [...Object.keys(attributes), ...named];
    const layout = await layoutOf(name, datapaths);
    const types = (layout['columns'] as readonly { readonly type: string }[]).map((column) => column.type);
    const read = async (version: Version, more: string): Promise<readonly (readonly Shown[])[]> =>
      expectStatus(200, await api.get(`/${paths[0]}?sort=id!asc&layout=${layout.id}${more}`, at(version))).items.map(
        (item) => item['layout_data'] as readonly Shown[],
      );
    const [plain, html, below] = [await read('1.9', ''), await read('1.9', `&${HTML}`), await read('1.8', `&${HTML}`)];
    expect(plain.length).toBeGreaterThan(0);
    for (const [row, columns] of plain.entries()) {
      for (const [column, { value, value_raw }] of columns.entries()) {
        const told = [row, datapaths[column]];
        const [newer, older] = [html[row]?.[column], below[row]?.[column]];
        const isRich = types[column] === 'rich_text';
        if (!isRich) expect([...told, newer]).toEqual([...told, columns[column]]);
        expect([...told, isRich ? older?.value : readHtml(older?.value)]).toEqual([
          ...told,
          isRich ? newer?.value : asRead(value),
        ]);
        expect([...told, readHtml(older?.value_raw ?? null)]).toEqual([...told, asRead(value_raw ?? null)]);
        expect(Object.keys(older ?? {})).toEqual(Object.keys(columns[column] ?? {}));
      }
    }
  });
});
