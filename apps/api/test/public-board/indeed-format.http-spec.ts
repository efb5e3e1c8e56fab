import { describe, expect, test } from '@jest/globals';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

/** An ISO 8601 time with a zone. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const ADDRESS = /^https?:\/\/[^\s]+$/;
const ANY = /\S/;

/**
 * The elements of a job that the feed may have, and the form of their texts.
 * Source: docs/reference/public-board.md, "The format of Indeed".
 */
const ELEMENTS: Readonly<Record<string, { readonly isRequired: boolean; readonly form: RegExp }>> = {
  title: { isRequired: true, form: ANY },
  date: { isRequired: true, form: MOMENT },
  referencenumber: { isRequired: true, form: ANY },
  requisitionid: { isRequired: true, form: ANY },
  url: { isRequired: true, form: ADDRESS },
  company: { isRequired: true, form: ANY },
  sourcename: { isRequired: true, form: ANY },
  city: { isRequired: true, form: ANY },
  state: { isRequired: true, form: ANY },
  country: { isRequired: true, form: ANY },
  description: { isRequired: true, form: ANY },
  jobtype: { isRequired: false, form: ANY },
  category: { isRequired: false, form: ANY },
  expirationdate: { isRequired: false, form: MOMENT },
};
const REQUIRED = Object.keys(ELEMENTS).filter((name) => ELEMENTS[name]?.isRequired);
const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z]\w*);/i;

/** The parsed content of an element: either CDATA alone, or something else. */
type Element = { readonly '#cdata'?: string | readonly string[]; readonly '#text'?: string } | string;
type Job = Readonly<Record<string, Element>>;

const parser = new XMLParser({
  cdataPropName: '#cdata',
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  ignoreAttributes: false,
  isArray: (name) => name === 'job',
});

/** Returns the text of an element. A text that contains `]]>` consists of several CDATA sections. */
const textOf = (element: Element | undefined): string =>
  typeof element === 'object' ? [element['#cdata'] ?? ''].flat().join('') : '';

/** Returns the violations of the format in a feed. */
function violationsOf(xml: string): readonly string[] {
  const wellFormed = XMLValidator.validate(xml);
  if (wellFormed !== true) return [wellFormed.err.msg];
  const { source, ...rest } = parser.parse(xml) as { readonly source?: { readonly job?: readonly Job[] } };
  const references = (source?.job ?? []).map(({ referencenumber }) => textOf(referencenumber));
  return [
    ...(/^<\?xml version="1\.0" encoding="utf-8"\?>\s*<source>/.test(xml)
      ? []
      : ['the declaration or the root is wrong']),
    ...Object.keys(rest).flatMap((name) => (name === '?xml' ? [] : [`${name} stands beside the root`])),
    ...(ENTITY.test(xml) ? [`there is an entity: ${ENTITY.exec(xml)?.[0] ?? ''}`] : []),
    ...(new Set(references).size === references.length ? [] : ['a referencenumber stands twice']),
    ...(source?.job ?? []).flatMap((job) => violationsOfJob(job)),
  ];
}

function violationsOfJob(job: Job): readonly string[] {
  const elements = Object.entries(job).filter(([name]) => name !== '#text');
  return [
    ...REQUIRED.filter((name) => !(name in job)).map((name) => `${name} is missing`),
    ...elements.flatMap(([name, element]) => {
      const rule = ELEMENTS[name];
      if (!rule) return [`${name} is no element of the format`];
      if (typeof element === 'string' || (element['#text'] ?? '').trim() !== '') return [`${name} is not in CDATA`];
      return rule.form.test(textOf(element)) ? [] : [`${name} has another form: ${textOf(element)}`];
    }),
  ];
}

const { api, make } = useApi();

async function boardWith(postings: readonly Readonly<Record<string, unknown>>[]) {
  const board = await make.jobBoard({ is_public: true, base_url: 'https://careers.example.com/a?b=1&c=2' });
  const vacancy = await make.vacancy({ department: 'Research & <Science>', employment_type: 'Full-time' });
  const items: Item[] = [];
  for (const posting of postings)
    items.push(await make.posting({ job_board_id: board.id, vacancy_id: vacancy.id, ...posting }));
  const path = `/public/v1/boards/${String(board['code'])}/feeds/indeed.xml`;
  const read = async (): Promise<string> => (await api.request('GET', path, { token: null })).text;
  return { items, read };
}

const AUSTIN = { location: 'Austin, TX, USA' };

describe('the feed in the format of Indeed', () => {
  test('keeps all rules of the format', async () => {
    const { read } = await boardWith([
      { ...AUSTIN, title: 'R&D <Engineer> ]]> 100 %', description: '<p>Build</p>', closing_date: '2999-01-02' },
      { ...AUSTIN, title: 'Cook', description: null },
      { location: 'Santiago de Compostela, Galicia, España', title: 'Jefe/a', description: '<ul><li>ñ</li></ul>' },
    ]);
    const xml = await read();
    expect(violationsOf(xml)).toEqual([]);
    expect(xml.match(/<job>/g)).toHaveLength(3);
  });

  test.each([
    ['<p>R&amp;D at 5 &lt; 6 &gt; 4</p>', '<p>R&D at 5 < 6 > 4</p>'],
    ['<p>use &lt;script&gt;</p>', '<p>use < script></p>'],
    ['<p>write &amp;lt;</p>', '<p>write & lt;</p>'],
    ['<p><a href="https://example.com/?a=1&amp;b=&quot;2">more</a></p>', '<a href="https://example.com/?a=1&b=%222"'],
  ])('writes %s without entities', async (description, expected) => {
    const { read } = await boardWith([{ ...AUSTIN, description }]);
    const xml = await read();
    expect(violationsOf(xml)).toEqual([]);
    expect(xml).toContain(expected);
  });

  test('lacks only the parts of a place that the posting does not name', async () => {
    const { read } = await boardWith([{ location: null }]);
    expect(violationsOf(await read())).toEqual(['city is missing', 'state is missing', 'country is missing']);
  });

  test('keeps the reference of a posting when the posting changes', async () => {
    const { items, read } = await boardWith([AUSTIN]);
    const referenceOf = async (): Promise<string | undefined> =>
      /<referencenumber>(.*)<\/referencenumber>/.exec(await read())?.[1];
    const before = await referenceOf();
    expect(before).toBeDefined();
    const changed = await api.request('PATCH', `/api/v1/postings/${items[0]?.id}`, {
      body: { title: 'Another title', location: 'Berlin, Germany' },
    });
    expect(changed.status).toBe(200);
    expect(await read()).toContain('Another title');
    expect(await referenceOf()).toBe(before);
  });
});

test('the rules of this test find the violations in an invalid feed', () => {
  expect(violationsOf('<source><job>')).toHaveLength(1);
  const job = REQUIRED.map((name) => `<${name}><![CDATA[https://example.com]]></${name}>`).join('');
  const wrong = job
    .replace('<title><![CDATA[https://example.com]]></title>', '<title>R&amp;D</title><salary><![CDATA[1]]></salary>')
    .replace(/<country>.*<\/country>/, '');
  expect(violationsOf(`<?xml version="1.0" encoding="utf-8"?><source><job>${wrong}</job></source>`)).toEqual([
    'there is an entity: &amp;',
    'country is missing',
    'title is not in CDATA',
    'salary is no element of the format',
    'date has another form: https://example.com',
  ]);
});
