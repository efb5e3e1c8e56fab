// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type Found, GROUPS, PATH, makeItems, find, names } from './quick-search-items.js';

const { api, make } = useApi();
let at: Record<string, Item>;

beforeAll(async () => {
  at = await makeItems(make);
});

describe('quick search', () => {
  it('returns all groups; each result has id, URL, title, subtitle and score', async () => {
    const found = await find(api, 'ada lovelace');
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
    const bridges = await find(api, 'bridge');
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
      const results = (await find(api, q, '&limit=50'))['candidates'] ?? [];
      expect(results.length).toBeGreaterThan(1);
      expect([...results].sort((left, right) => right.score - left.score || left.id - right.id)).toEqual(results);
      for (const { score } of results) expect([score > 0, score <= 1]).toEqual([true, true]);
    }
    expect((await names(api, 'ada lovelace')).slice(0, 2)).toEqual(['Ada Lovelace', 'Ada Lovelace-Byron of Ockham']);
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
  ])('finds a person by this text: %s', async (_, q, expected) => {
    expect((await names(api, q))[0]).toBe(expected);
  });

  it('gives a score of 1 to exact e-mail addresses and references only', async () => {
    const [first, ...others] = (await find(api, 'ada.lovelace@example.com'))['candidates'] ?? [];
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
      expect((await find(api, q))['vacancy_applications']).toEqual([
        expect.objectContaining({ id: at['application']?.id, score: 1 }),
      ]);
    }
    expect((await find(api, String(at['registration']?.['reference'])))['event_applications']?.[0]).toMatchObject({
      id: at['registration']?.id,
      score: 1,
    });
    expect((await find(api, 'ada.lovelace@example.com'))['vacancy_applications']).toEqual([
      expect.objectContaining({ id: at['application']?.id, score: 1 }),
    ]);
  });

  it.each(['REQ-004711', 'req 4711', 'req-4711', '004711', 'brigde engineer', 'bridge eng'])(
    'finds a vacancy by this text: %s',
    async (q) => {
      expect((await names(api, q, 'vacancies'))[0]).toBe('Bridge Engineer (m/w/d)');
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
  ])('finds nothing by this text: %s', async (_, q) => {
    expect(await find(api, q)).toEqual(Object.fromEntries(GROUPS.map((group) => [group, []])));
  });

  it('tolerates two swapped letters, but finds no names that differ more', async () => {
    await make.candidate({ firstname: 'Ida', lastname: 'Gottlieb' });
    await make.candidate({ firstname: 'Ida', lastname: 'Gotthelf' });
    expect(await names(api, 'gtotlieb')).toEqual(['Ida Gottlieb']);
    const [result] = (await find(api, 'gtotlieb'))['candidates'] ?? [];
    expect(result?.score).toBeLessThan((await find(api, 'gottlieb'))['candidates']?.[0]?.score ?? 0);
  });

  it('reflects changed names and deleted objects', async () => {
    const candidate = await make.candidate({
      firstname: 'Wilhelmina',
      lastname: 'Quarzsand',
      email: 'first@changes.example',
    });
    expect(await names(api, 'quarzsnad')).toEqual(['Wilhelmina Quarzsand']);
    await api.put(`/candidates/${candidate.id}`, {
      firstname: 'Wilhelmina',
      lastname: 'Kieselgur',
      email: 'first@changes.example',
    });
    expect([await names(api, 'quarzsand'), await names(api, 'kieslgur')]).toEqual([[], ['Wilhelmina Kieselgur']]);
    await api.delete(`/candidates/${candidate.id}`);
    expect(await names(api, 'kieselgur')).toEqual([]);
  });

  it('does not find anonymised persons and keeps no part of their names', async () => {
    const { id } = await make.candidate({
      firstname: 'Thusnelda',
      lastname: 'Flohkraut',
      preferred_name: 'Tusni',
      email: 'thusnelda@anon.example',
    });
    const [{ reference }] = [await make.application({ user_id: id })] as [Item];
    expect(await names(api, 'flohkraut')).toEqual(['Thusnelda Flohkraut']);
    expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
    for (const q of [
      'flohkraut',
      'thusnelda',
      'tusni',
      'thusnelda@anon.example',
      'anonymised candidate',
      `candidate-${id}@anonymised.invalid`,
    ])
      expect(await names(api, q)).toEqual([]);
    expect(
      await api.database.query(`SELECT word FROM quick_search_words WHERE word IN ('flohkraut', 'thusnelda', 'tusni')`),
    ).toEqual([]);
    // The reference of an application is no personal data, so a search for it still finds the application.
    expect(await names(api, String(reference), 'vacancy_applications')).toEqual(['Anonymised Candidate']);
  });

  it('never finds recruiters', async () => {
    await make.recruiter({ firstname: 'Rosalind', lastname: 'Recruiterson' });
    expect(await names(api, 'recruiterson')).toEqual([]);
  });

  it('names states in the language of the request', async () => {
    const answer = await api.request('GET', `${PATH}?q=lovelace`, { headers: { 'accept-language': 'de' } });
    expect((answer.json as Found)['vacancy_applications']?.[0]?.subtitle).toBe('Bridge Engineer (m/w/d) · Eingegangen');
  });
});
