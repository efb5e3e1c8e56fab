import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
/** Maps the names in the tables of cases to the applications of the tests. */
const things = new Map<string, Item>();
/** Maps the key of a form item to its id. */
const items = new Map<string, number>();

beforeAll(async () => {
  await makeThings();
});

const named = (text: string): string => text.replace(/\$(\w+)/g, (_, key: string) => String(items.get(key)));

async function makeForm(resource: string, questions: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  const form = await make.form({
    resource,
    sections: [{ name: 'S', repeatable: true, items: questions.map((question) => ({ label: 'L', ...question })) }],
  });
  for (const item of (form['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items ?? [])
    items.set(String(item['key']), item.id);
}

async function write(path: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const form_values = Object.entries(values).map(([key, value]) => ({
    item_id: items.get(key.split(':')[0] ?? ''),
    section_instance: Number(key.split(':')[1] ?? 1),
    value,
  }));
  expectStatus(200, await api.post(`${path}/form_values`, { form_values }));
}

async function makeThings(): Promise<void> {
  const [engineer, pilot] = [await make.vacancy(), await make.vacancy()];
  things.set('first', await make.application({ opportunity_id: engineer.id }));
  things.set('second', await make.application({ opportunity_id: pilot.id }));
  things.set('third', await make.application({ opportunity_id: engineer.id }));
  const options = [{ value: 'B' }, { value: 'C' }];
  await makeForm('applications', [
    { key: 'note', type: 'text' },
    { key: 'years', type: 'integer' },
    { key: 'rate', type: 'decimal' },
    { key: 'from', type: 'date' },
    { key: 'at', type: 'datetime' },
    { key: 'ok', type: 'boolean' },
    { key: 'one', type: 'single_select', options },
    { key: 'many', type: 'multi_select', options },
    { key: 'rich', type: 'rich_text' },
  ]);
  await makeForm('vacancies', [{ key: 'grade', type: 'text' }]);
  const path = (name: string): string => `/applications/${things.get(name)?.id}`;
  const first = {
    note: 'Straße',
    years: 3,
    rate: 1.5,
    from: '2026-03-01',
    at: '2026-03-01T12:00:00Z',
    ok: true,
    one: 'B',
    many: ['B', 'C'],
    rich: '<p>Bold <b>w</b>ords</p>',
    'note:2': 'Zweite',
  };
  await write(path('first'), first);
  await write(path('second'), { note: 'abc', years: 10, ok: false, one: 'C', many: ['C'] });
  await write(`/vacancies/${engineer.id}`, { grade: 'senior' });
}

/** Returns the names of the applications that a query finds, or the violations of the query as text. */
async function find(parameters: string): Promise<string> {
  const query = new URLSearchParams();
  for (const part of named(parameters).split(' & ')) {
    const [name = '', ...value] = part.split(': ');
    query.append(name, value.join(': '));
  }
  const answer = await api.get(`/applications?${query.toString()}`);
  if (answer.status !== 200)
    return `${answer.status} ${(answer.problem.errors ?? []).map(({ info }) => info ?? '').join(' | ')}`;
  expect(answer.headers['x-total-count']).toBe(String(answer.items.length));
  const names = new Map([...things].map(([name, { url }]) => [url, name]));
  return answer.items.map(({ url }) => names.get(url) ?? url).join(' ');
}

describe('search and sort on form values', () => {
  it.each([
    ['search: formdata.$note=Straße', 'first'],
    ['search: application.formdata.$note=Straße', 'first'],
    ['search: formdata.$note=straße', ''],
    ['search: formdata.$note:1:1=~STRA', 'first'],
    ['search: formdata.$note:2=Zweite', 'first'],
    ['search: formdata.$note:2=', 'second third'],
    ['search: formdata.$note=', 'third'],
    ['search: formdata.$note!=abc', 'first third'],
    ['search: formdata.$note!~b', 'first third'],
    ['search: formdata.$note={abc,}', 'second third'],
    ['search: formdata.$note>b', 'first'],
    ['search: formdata.$years>=3 & search: formdata.$years<10', 'first'],
    ['search: formdata.$years={3,10}', 'first second'],
    ['search: formdata.$years=~0', 'second'],
    ['search: formdata.$rate=1.50', 'first'],
    ['search: formdata.$from<=2026-03-01', 'first'],
    ['search: formdata.$at=2026-03-01', 'first'],
    ['search: formdata.$ok=false', 'second'],
    ['search: formdata.$ok!=true', 'second third'],
    ['search: formdata.$one=C', 'second'],
    ['search: formdata.$many=B', 'first'],
    ['search: formdata.$many!=B', 'second third'],
    ['search: formdata.$many=', 'third'],
    ['search: formdata.$rich=~old words', 'first'],
    ['search: formdata.$rich=~<b>', ''],
    ['search: opportunity.formdata.$grade=senior', 'first third'],
    ['search: vacancy.formdata.$grade!=senior', 'second'],
    ['sort: formdata.$years!desc', 'second first third'],
    ['sort: formdata.$note!asc', 'second first third'],
    ['sort: application.vacancy.formdata.$grade!asc & sort: id!desc', 'third first second'],
  ])('finds the applications that match %s', async (parameters, expected) => {
    expect(await find(parameters)).toBe(expected);
  });

  it('pages through a collection sorted by a form value', async () => {
    const first = await api.get(`/applications?per_page=1&sort=formdata.${items.get('years')}!asc`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    const second = await api.request('GET', next.slice(next.indexOf('/api/v1')));
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([
      things.get('first')?.id,
      things.get('second')?.id,
    ]);
  });

  it.each([
    ['search: formdata.987654321=x', 'has no form item "987654321"'],
    ['search: formdata.note=x', 'has no form item "note"'],
    ['search: formdata.$grade=x', 'application has no form item'],
    ['search: formdata.$note:0=x', 'counts from 1'],
    ['search: user.formdata.$note=x', 'user has no form data'],
    ['search: formdata.$years=1.0', 'expected a whole number'],
    ['search: formdata.$ok=~t', 'a boolean can be compared'],
    ['sort: formdata.$many!asc', 'many values'],
    ['sort: formdata.99999999999999999999!asc', 'has no form item'],
  ])('answers 400 to the query %s', async (parameters, info) => {
    const answer = await find(parameters);
    expect(answer).toMatch(/^400 /);
    expect(answer).toContain(info);
  });

  it('needs exactly the read scopes of the resources on the datapath', async () => {
    const token = await make.token('applications:read');
    expect((await api.get(named('/applications?search=formdata.$note=abc'), { token })).status).toBe(200);
    expect((await api.get(named('/applications?search=vacancy.formdata.$grade=senior'), { token })).status).toBe(403);
  });
});
