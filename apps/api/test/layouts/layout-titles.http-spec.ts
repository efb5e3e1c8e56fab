import { describe, expect, test } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { columnsOf, titled } from './layout-readings.js';

const { api, make } = useApi();
const speaking = (language: string) => ({ headers: { 'accept-language': language } });

describe('column titles', () => {
  test('are read in the language of the request, else of the system, else in any language', async () => {
    const title = async (text: unknown, language: string) => {
      const layout = await make.layout({ columns: [{ title: text, datapath: 'id' }] });
      return columnsOf((await api.get(`/layouts/${layout.id}`, speaking(language))).item)[0]?.title;
    };
    expect(await title({ en: 'Name', de: 'Nachname' }, 'de-AT')).toBe('Nachname');
    expect(await title({ en: 'Name', de: 'Nachname' }, 'fr')).toBe('Name');
    expect(await title({ fr: 'Nom', de: 'Nachname' }, 'ar')).toBe('Nachname');
    expect(await title('Name', 'de')).toBe('Name');
  });

  test('written without a language are in the default language of the system', async () => {
    await api.database.query(`UPDATE systems SET default_language = 'de'`);
    try {
      const { id } = await make.layout({ columns: [{ title: 'Nachname', datapath: 'id' }] });
      await api.database.query(`UPDATE layout_columns SET title = title || '{"en": "Name"}' WHERE layout_id = $1`, [
        id,
      ]);
      const titleIn = async (language: string) =>
        columnsOf((await api.get(`/layouts/${id}`, speaking(language))).item)[0]?.title;
      expect([await titleIn('de'), await titleIn('en'), await titleIn('fr')]).toEqual(['Nachname', 'Name', 'Nachname']);
    } finally {
      await api.database.query(`UPDATE systems SET default_language = 'en'`);
    }
  });

  test('written without a language replace the titles in all languages', async () => {
    const { id } = await make.layout({ columns: [{ title: { en: 'Name', de: 'Nachname' }, datapath: 'id' }] });
    expectStatus(
      200,
      await api.put(`/layouts/${id}`, { name: 'Layout', resource: 'applications', columns: titled('id') }),
    );
    expect(columnsOf((await api.get(`/layouts/${id}`, speaking('de'))).item)[0]?.title).toBe('Title');
  });

  test('change the ETag in every language when one language changes', async () => {
    const columns = (de: string) => [{ title: { en: 'Name', de }, datapath: 'id' }];
    const { id, updated_dt } = await make.layout({ columns: columns('Name') });
    const replaced = expectStatus(
      200,
      await api.put(
        `/layouts/${id}`,
        { name: 'Layout', resource: 'applications', columns: columns('Nachname') },
        speaking('en'),
      ),
    );
    expect(Date.parse(String(replaced.item['updated_dt']))).toBeGreaterThan(Date.parse(String(updated_dt)));
    expect(columnsOf((await api.get(`/layouts/${id}`, speaking('de'))).item)[0]?.title).toBe('Nachname');
  });

  test.each([
    [{ it: 'Nome' }, ['invalid /columns/0/title/it']],
    [{ en: 'Name', it: 'Nome', 'en-GB': 'Name' }, ['invalid /columns/0/title/en-GB', 'invalid /columns/0/title/it']],
    [{}, ['invalid /columns/0/title']],
    [
      { en: '', de: 7, fr: null },
      ['invalid /columns/0/title/de', 'invalid /columns/0/title/en', 'missing /columns/0/title/fr'],
    ],
    [['Name'], ['invalid /columns/0/title']],
    [7, ['invalid /columns/0/title']],
    [null, ['missing /columns/0/title']],
    ['x'.repeat(256), ['invalid /columns/0/title']],
    [{ en: 'a\u0000' }, ['invalid /columns/0/title/en']],
    [{ en: 'a\ud800' }, ['invalid /columns/0/title/en']],
    [{ __proto__: null, constructor: 'x' }, ['invalid /columns/0/title/constructor']],
  ])('are refused when they are %j', async (title, violations) => {
    const answer = await api.post('/layouts', {
      name: 'x',
      resource: 'applications',
      columns: [{ title, datapath: 'id' }],
    });
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
  });

  test('are found by search, in the language of the request', async () => {
    const { id } = await make.layout({
      columns: [{ title: { en: 'Unmistakable', de: 'Unverwechselbar' }, datapath: 'id' }],
    });
    const found = async (language: string) =>
      (await api.get('/layouts?search=/columns/*/title=~WECHSEL', speaking(language))).items.map((item) => item.id);
    expect([await found('de'), await found('en')]).toEqual([[id], []]);
  });
});
