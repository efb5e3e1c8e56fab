import { describe, expect, test } from '@jest/globals';
import { LANGUAGES } from '@ats/domain';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { speaking } from '../support/translations.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

describe('a localised text', () => {
  const texts = { en: 'Driver', de: 'Fahrer', fr: 'Conducteur', es: 'Conductor', ar: 'سائق' };

  test.each(LANGUAGES)('is read in %s: labels, options, titles, values, names of states', async (language) => {
    const form = await make.form({
      sections: [
        {
          name: texts,
          items: [{ key: 'kind', label: texts, type: 'single_select', options: [{ value: 'a', label: texts }] }],
        },
      ],
    });
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const itemId = section?.items[0]?.id ?? 0;
    const application = await make.formValues(await make.application(), [{ item_id: itemId, value: 'a' }]);
    const columns = [
      { title: texts, datapath: `application.formdata.${itemId}` },
      { title: 'State', datapath: 'main_process_state.state' },
    ];
    const layout = await make.layout({ columns });
    const headers = speaking(language);
    const text = texts[language];

    const shown = expectStatus(200, await api.get(`/forms/${form.id}`, { headers })).item;
    expect(shown['sections']).toMatchObject([
      { name: text, items: [{ label: text, options: [{ label: text, value: 'a' }] }] },
    ]);
    expect(expectStatus(200, await api.get(`/layouts/${layout.id}`, { headers })).item['columns']).toMatchObject([
      { title: text },
      { title: 'State' },
    ]);

    const [state] = await api.database.query<{ name: Readonly<Record<string, string>> }>(
      `SELECT name FROM states WHERE state = 'submitted'`,
    );
    const answer = expectStatus(200, await api.get(`${below(application.url)}?layout=${layout.id}`, { headers }));
    expect(answer.headers['content-language']).toBe(language);
    expect(answer.item).toMatchObject({
      process_state: { state: 'submitted', name: state?.name[language] },
      layout_data: [{ value: text }, { value: state?.name[language] }],
    });
    const [vacancyState] = await api.database.query<{ name: Readonly<Record<string, string>> }>(
      `SELECT name FROM states WHERE state = 'open'`,
    );
    for (const [path, name] of [
      [`${below(application.url)}/process_state`, state?.name[language]],
      [`/vacancies/${(await make.vacancy()).id}/state`, vacancyState?.name[language]],
    ] as const) {
      expect(expectStatus(200, await api.get(path, { headers })).json).toMatchObject({ name });
    }
    expect(new Set(Object.values(state?.name ?? {})).size).toBe(LANGUAGES.length);
  });

  test('falls back to the default language of the system, then to any language', async () => {
    const labelled = (label: object | string) =>
      make.form({ sections: [{ name: 'S', items: [{ key: 'a', label, type: 'text' }] }] });
    const labelOf = async ({ id }: Item) =>
      (
        expectStatus(200, await api.get(`/forms/${id}`, { headers: speaking('ar') })).item['sections'] as readonly {
          readonly items: readonly Item[];
        }[]
      )[0]?.items[0]?.['label'];
    expect(await labelOf(await labelled({ en: 'Driver', de: 'Fahrer' }))).toBe('Driver');
    expect(await labelOf(await labelled('Driver'))).toBe('Driver');
    expect(await labelOf(await labelled({ fr: 'Conducteur' }))).toBe('Conducteur');
  });
});
