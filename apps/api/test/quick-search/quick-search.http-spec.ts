import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { type Api, BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

interface Result {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly score: number;
}
type Found = Readonly<Record<string, readonly Result[]>>;

const GROUPS = ['candidates', 'vacancies', 'events', 'postings', 'vacancy_applications', 'event_applications'];
const PATH = '/api/v1/api/quick_search';

const { api, make } = useApi();
const at: Record<string, Item> = {};

beforeAll(async () => {
  const person = (firstname: string, lastname: string, more: object = {}): Promise<Item> =>
    make.candidate({ firstname, lastname, email: `${++people}@people.example`, ...more });
  let people = 0;
  at['ada'] = await person('Ada', 'Lovelace', { email: 'ada.lovelace@example.com' });
  at['adam'] = await person('Adam', 'Lovell');
  at['long'] = await person('Ada', 'Lovelace-Byron of Ockham');
  at['bob'] = await person('Robert', 'Zuckerhut', { preferred_name: 'Bobby' });
  at['jose'] = await person('José', 'Müller-Lüdenscheidt');
  at['weiss'] = await person('Ngọc', 'Weiß');
  at['liu'] = await person('志强', '刘');
  at['mohammed'] = await person('محمد', 'حداد');
  at['elena'] = await person('Ελένη', 'Παπαδοπούλου');
  at['obrien'] = await person('Seán', "O'Brien");
  at['an'] = await person('An', 'Nguyễn');
  at['anna'] = await person('Anna', 'Karenina');
  at['percent'] = await person('100%', 'Sure_\\');
  at['vacancy'] = await make.vacancy({ title: 'Bridge Engineer (m/w/d)', reference: 'REQ-004711', location: 'Köln' });
  at['event'] = await make.event({ title: 'Bridge Builders’ Day' });
  at['posting'] = await make.posting({ vacancy_id: at['vacancy'].id, title: 'Build bridges', location: 'Bonn' });
  at['application'] = await make.application({ opportunity_id: at['vacancy'].id, user_id: at['ada'].id });
  at['registration'] = await make.eventApplication({ opportunity_id: at['event'].id, user_id: at['ada'].id });
  at['ofBob'] = await make.application({ opportunity_id: at['vacancy'].id, user_id: at['bob'].id });
});

const ask = (q: string, more = '', token?: string): ReturnType<Api['request']> =>
  api.request('GET', `${PATH}?q=${encodeURIComponent(q)}${more}`, token === undefined ? {} : { token });
const find = async (q: string, more = '', token?: string): Promise<Found> =>
  expectStatus(200, await ask(q, more, token)).json as Found;
const names = async (q: string, group = 'candidates'): Promise<readonly string[]> =>
  ((await find(q))[group] ?? []).map(({ title }) => title);

describe('quick search', () => {
  it('returns all groups; each result has address, title, subtitle and score', async () => {
    const found = await find('ada lovelace');
    expect(Object.keys(found)).toEqual(GROUPS);
    expect(found['candidates']?.[0]).toEqual({
      id: at['ada']?.id,
      url: at['ada']?.url,
      title: 'Ada Lovelace',
      subtitle: 'ada.lovelace@example.com',
      score: expect.any(Number),
    });
    expect(found['vacancy_applications']).toEqual([
      {
        id: at['application']?.id,
        url: at['application']?.url,
        title: 'Ada Lovelace',
        subtitle: 'Bridge Engineer (m/w/d) · Submitted',
        score: expect.any(Number),
      },
    ]);
    expect(found['event_applications']).toEqual([
      {
        id: at['registration']?.id,
        url: `${BASE_URL}/api/v1/event_applications/${at['registration']?.id ?? 0}`,
        title: 'Ada Lovelace',
        subtitle: 'Bridge Builders’ Day · Registered',
        score: expect.any(Number),
      },
    ]);
    const bridges = await find('bridge');
    expect(bridges['vacancies']?.map(({ title, subtitle }) => [title, subtitle])).toEqual([
      ['Bridge Engineer (m/w/d)', 'REQ-004711 · Köln · Open'],
    ]);
    expect(bridges['events']?.map(({ title }) => title)).toEqual(['Bridge Builders’ Day']);
    expect(bridges['postings']?.map(({ title, subtitle }) => [title, subtitle])).toEqual([['Build bridges', 'Bonn']]);
  });

  it('sorts results by score from 0 to 1, then by id', async () => {
    await make.candidate({ firstname: 'Twin', lastname: 'Gemini', email: 'b@twins.example' });
    await make.candidate({ firstname: 'Twin', lastname: 'Gemini', email: 'a@twins.example' });
    for (const q of ['lovelace', 'ada', 'gemini', 'ann']) {
      const results = (await find(q, '&limit=50'))['candidates'] ?? [];
      expect(results.length).toBeGreaterThan(1);
      expect([...results].sort((left, right) => right.score - left.score || left.id - right.id)).toEqual(results);
      for (const { score } of results) expect([score > 0, score <= 1]).toEqual([true, true]);
    }
    expect((await names('ada lovelace')).slice(0, 2)).toEqual(['Ada Lovelace', 'Ada Lovelace-Byron of Ockham']);
  });

  it.each([
    ['a part that it begins with', 'lovel', 'Ada Lovelace'],
    ['a letter left out', 'lovelce', 'Ada Lovelace'],
    ['a letter too many', 'lovellace', 'Ada Lovelace'],
    ['letters changed about', 'karenian', 'Anna Karenina'],
    ['letters changed about near the beginning', 'zcukerhut', 'Robert Zuckerhut'],
    ['letters of a short word changed about', 'lvoell', 'Adam Lovell'],
    ['letters changed about in both words', 'nana kraenina', 'Anna Karenina'],
    ['the beginnings of both words', 'an ka', 'Anna Karenina'],
    ['the beginnings of both words, the other way round', 'zu ro', 'Robert Zuckerhut'],
    ['an initial and a beginning', 'r zu', 'Robert Zuckerhut'],
    ['a part from inside', 'velace', 'Ada Lovelace'],
    ['upper case', 'LOVELACE', 'Ada Lovelace'],
    ['the other order', 'lovelace ada', 'Ada Lovelace'],
    ['an initial', 'r zuckerhut', 'Robert Zuckerhut'],
    ['mistakes in both words', 'addam lovvell', 'Adam Lovell'],
    ['a word that is not there', 'anna karenina phd', 'Anna Karenina'],
    ['the preferred name', 'bobby zuckerhut', 'Robert Zuckerhut'],
    ['no accents', 'jose muller', 'José Müller-Lüdenscheidt'],
    ['the accents', 'josé müller', 'José Müller-Lüdenscheidt'],
    ['combining accents', 'jose\u0301 mu\u0308ller', 'José Müller-Lüdenscheidt'],
    ['other accents', 'nguyên', 'An Nguyễn'],
    ['double s', 'weiss', 'Ngọc Weiß'],
    ['capital sharp s', 'WEISS', 'Ngọc Weiß'],
    ['no apostrophe', 'obrien', "Seán O'Brien"],
    ['another apostrophe', 'o’brien', "Seán O'Brien"],
    ['Chinese, family name first', '刘志强', '志强 刘'],
    ['Chinese, a given name', '志强', '志强 刘'],
    ['Arabic', 'محمد', 'محمد حداد'],
    ['Arabic with a letter wrong', 'حدادد', 'محمد حداد'],
    ['Arabic, the beginning of a word', 'محم', 'محمد حداد'],
    ['Greek in capitals without accents', 'ΠΑΠΑΔΟΠΟΥΛΟΥ', 'Ελένη Παπαδοπούλου'],
    ['full-width letters', 'Ｌｏｖｅｌａｃｅ', 'Ada Lovelace'],
    ['spaces around', '  lovelace \t', 'Ada Lovelace'],
    ['signs between', '%lovelace_\\', 'Ada Lovelace'],
    ['quotes around', `'"lovelace"'`, 'Ada Lovelace'],
    ['operators of a query', 'lovelace & !(ada | :*)', 'Ada Lovelace'],
    ['an emoji', 'lovelace 😀', 'Ada Lovelace'],
    ['the address', 'ada.lovelace@example.com', 'Ada Lovelace'],
    ['the address in capitals', 'ADA.LOVELACE@EXAMPLE.COM', 'Ada Lovelace'],
    ['the address at another domain', 'ada.lovelace@other.example', 'Ada Lovelace'],
    ['a number', '100 sure', '100% Sure_\\'],
    ['two letters, which are a word', 'an', 'An Nguyễn'],
  ])('finds a person by %s', async (_, q, expected) => {
    expect((await names(q))[0]).toBe(expected);
  });

  it('gives a score of 1 to exact e-mail addresses and references only', async () => {
    const [first, ...others] = (await find('ada.lovelace@example.com'))['candidates'] ?? [];
    expect([first?.id, first?.score]).toEqual([at['ada']?.id, 1]);
    for (const { score } of others) expect(score).toBeLessThan(1);
    const reference = String(at['application']?.['reference']);
    for (const q of [
      reference,
      reference.toLowerCase(),
      reference.replace('APP-', '').padStart(8, '0'),
      reference.replace('-', ' '),
      reference.replace(/^APP-0*/, '#'),
    ]) {
      expect((await find(q))['vacancy_applications']).toEqual([
        expect.objectContaining({ id: at['application']?.id, score: 1 }),
      ]);
    }
    expect((await find(String(at['registration']?.['reference'])))['event_applications']?.[0]).toMatchObject({
      id: at['registration']?.id,
      score: 1,
    });
    expect((await find('ada.lovelace@example.com'))['vacancy_applications']).toEqual([
      expect.objectContaining({ id: at['application']?.id, score: 1 }),
    ]);
  });

  it.each(['REQ-004711', 'req 4711', 'req-4711', '004711', 'brigde engineer', 'bridge eng'])(
    'finds a vacancy by %s',
    async (q) => {
      expect((await names(q, 'vacancies'))[0]).toBe('Bridge Engineer (m/w/d)');
    },
  );

  it.each([
    ['no letter or digit', '%% __'],
    ['emoji alone', '😀😀'],
    ['a text without matches', 'xqxqxqxqxq'],
    ['a domain alone', '@example.com'],
    ['one letter many times', 'z'.repeat(200)],
    ['very many words', 'q x '.repeat(50).slice(0, 199)],
    ['signs that become many', 'ﷺ'.repeat(200)],
    ['a backslash at the end', `'\\`],
  ])('finds nothing by %s', async (_, q) => {
    expect(await find(q)).toEqual(Object.fromEntries(GROUPS.map((group) => [group, []])));
  });

  it('tolerates two swapped letters, without distant matches', async () => {
    await make.candidate({ firstname: 'Ida', lastname: 'Gottlieb' });
    await make.candidate({ firstname: 'Ida', lastname: 'Gotthelf' });
    expect(await names('gtotlieb')).toEqual(['Ida Gottlieb']);
    const [result] = (await find('gtotlieb'))['candidates'] ?? [];
    expect(result?.score).toBeLessThan((await find('gottlieb'))['candidates']?.[0]?.score ?? 0);
  });

  it('reflects changed names and deleted objects', async () => {
    const candidate = await make.candidate({
      firstname: 'Wilhelmina',
      lastname: 'Quarzsand',
      email: 'first@changes.example',
    });
    expect(await names('quarzsnad')).toEqual(['Wilhelmina Quarzsand']);
    await api.put(`/candidates/${candidate.id}`, {
      firstname: 'Wilhelmina',
      lastname: 'Kieselgur',
      email: 'first@changes.example',
    });
    expect([await names('quarzsand'), await names('kieslgur')]).toEqual([[], ['Wilhelmina Kieselgur']]);
    await api.delete(`/candidates/${candidate.id}`);
    expect(await names('kieselgur')).toEqual([]);
  });

  it('does not find anonymised persons and keeps no part of their names', async () => {
    const { id } = await make.candidate({
      firstname: 'Thusnelda',
      lastname: 'Flohkraut',
      preferred_name: 'Tusni',
      email: 'thusnelda@anon.example',
    });
    const [{ reference }] = [await make.application({ user_id: id })] as [Item];
    expect(await names('flohkraut')).toEqual(['Thusnelda Flohkraut']);
    expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
    for (const q of [
      'flohkraut',
      'thusnelda',
      'tusni',
      'thusnelda@anon.example',
      'anonymised candidate',
      `candidate-${id}@anonymised.invalid`,
    ])
      expect(await names(q)).toEqual([]);
    expect(
      await api.database.query(`SELECT word FROM quick_search_words WHERE word IN ('flohkraut', 'thusnelda', 'tusni')`),
    ).toEqual([]);
    // The application itself has no personal data and is still found by its reference.
    expect(await names(String(reference), 'vacancy_applications')).toEqual(['Anonymised Candidate']);
  });

  it('does not find recruiters', async () => {
    await make.recruiter({ firstname: 'Rosalind', lastname: 'Recruiterson' });
    expect(await names('recruiterson')).toEqual([]);
  });

  it('names states in the language of the request', async () => {
    const answer = await api.request('GET', `${PATH}?q=lovelace`, { headers: { 'accept-language': 'de' } });
    expect((answer.json as Found)['vacancy_applications']?.[0]?.subtitle).toBe('Bridge Engineer (m/w/d) · Eingegangen');
  });
});

describe('the scopes of quick search', () => {
  it.each([
    ['candidates:read', ['candidates']],
    ['vacancies:read', ['vacancies']],
    ['events:read', ['events']],
    ['postings:read', ['postings']],
    ['applications:read', ['vacancy_applications', 'event_applications']],
    ['*:read', GROUPS],
  ])('%s alone returns the groups %j', async (scope, groups) => {
    expect(Object.keys(await find('ada', '', await make.token(scope)))).toEqual(groups);
  });

  it.each(['users:read', 'candidates:write', '*:write'])('%s alone is refused, naming what would do', async (scope) => {
    const { status, problem } = await ask('ada', '', await make.token(scope));
    expect([status, problem.message]).toEqual([
      403,
      'The credential needs one of the scopes candidates:read, vacancies:read, events:read, postings:read, applications:read',
    ]);
  });

  it('applications:read alone does not search the preferred name, which needs candidates:read', async () => {
    const token = await make.token('applications:read');
    expect((await find('zuckerhut', '', token))['vacancy_applications']).toHaveLength(1);
    for (const q of ['bobby', 'bobb', 'boby', 'bobby zuckerhut']) {
      const scores = ((await find(q, '', token))['vacancy_applications'] ?? []).map(({ id, score }) => [id, score]);
      // Every result matches by the last name alone, as with an unknown word.
      const without = ((await find(q.replace(/bob\w*/, 'qqqqq'), '', token))['vacancy_applications'] ?? []).map(
        ({ id }) => id,
      );
      expect(scores.map(([id]) => id)).toEqual(without);
    }
  });
});

describe('the parameters of quick search', () => {
  it.each([
    ['', ['missing ?q']],
    ['q=', ['invalid ?q']],
    ['q=a', ['invalid ?q']],
    ['q=%20a%20', ['invalid ?q']],
    ['q=%F0%9F%98%80', ['invalid ?q']],
    [`q=${'a'.repeat(201)}`, ['invalid ?q']],
    ['q=ab%00', ['invalid ?q']],
    ['q=ab%ff', ['invalid ?q']],
    ['q=ab%ed%a0%80', ['invalid ?q']],
    ['q=ada&q=ada', ['invalid ?q']],
    ['q=ada&limit=0', ['invalid ?limit']],
    ['q=ada&limit=51', ['invalid ?limit']],
    ['q=ada&limit=-1', ['invalid ?limit']],
    ['q=ada&limit=1.5', ['invalid ?limit']],
    ['q=ada&limit=', ['invalid ?limit']],
    ['q=ada&limit=5&limit=5', ['invalid ?limit']],
    ['q=ada&page=1', ['invalid ?page']],
    ['q=a&limit=x&serach=y', ['invalid ?serach', 'invalid ?q', 'invalid ?limit']],
  ])('%s: 400 with all violations', async (query, violations) => {
    const answer = await api.request('GET', `${PATH}?${query}`);
    expect([answer.status, answer.violations]).toEqual([400, violations]);
  });

  it('accept 2 to 200 characters, counted as code points', async () => {
    expectStatus(200, await ask('ab'));
    expectStatus(200, await ask('😀'.repeat(200)));
    expectStatus(400, await ask('😀'.repeat(201)));
    expectStatus(200, await ask(`${' '.repeat(50)}${'a'.repeat(200)}`));
  });

  it('limit each group, to 10 by default and 50 at most', async () => {
    for (let index = 0; index < 52; index++) await make.candidate({ firstname: 'Multitude', lastname: 'Example' });
    expect((await find('multitude'))['candidates']).toHaveLength(10);
    expect((await find('multitude', '&limit=3'))['candidates']).toHaveLength(3);
    expect((await find('multitude', '&limit=50'))['candidates']).toHaveLength(50);
  });

  it('support GET and HEAD only', async () => {
    expect((await api.request('HEAD', `${PATH}?q=ada`)).status).toBe(200);
    expect((await api.request('OPTIONS', PATH)).headers['allow']).toBe('GET, HEAD, OPTIONS');
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      const { status, headers } = await api.request(method, `${PATH}?q=ada`, method === 'DELETE' ? {} : { body: {} });
      expect([method, status, headers['allow']]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
    }
    expect((await api.request('GET', '/api/v1/quick_search?q=ada')).status).toBe(404);
  });
});
