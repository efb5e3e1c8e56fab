import { describe, expect, it } from '@jest/globals';
import { syntax } from '../../../test/form-data.js';
import { CATALOGUE, COMPLETIONS, DIAGNOSTICS } from '../../../test/language-corpus.js';
import { service } from '../../../test/recruiting-language.js';
import { type DatapathEntry, listFromEntries, loadCatalogueModel } from './catalogue-model.js';
import { type Completions } from './completion.js';
import { createLanguageService } from './language-service.js';

describe('a model loaded from the list of datapaths', () => {
  const entry = (path: string, rest: Partial<DatapathEntry>): DatapathEntry => ({
    path,
    type: 'text',
    is_many: false,
    target: null,
    label: null,
    description: null,
    values: null,
    used_in: ['expressions'],
    ...rest,
  });
  const entries = [
    entry('application.score', { type: 'decimal', description: 'From 0 to 5.' }),
    entry('application.user', { type: 'reference', target: 'user' }),
    entry('application.formdata', { type: 'formdata' }),
    entry('application.formdata.21', { label: 'Licence', is_many: true }),
    entry('application.user.notes', { type: 'reference', target: 'note', is_many: true }),
    entry('application.secret', { used_in: ['search'] }),
    entry('user.firstname', { used_in: [] }),
    entry('application.user.firstname', {}),
    entry('user.notes', { type: 'reference', target: 'note', is_many: true }),
    entry('application.user.notes.kind', { is_many: true, values: ['public', 'private'] }),
    entry('user.notes.kind', { is_many: true, values: ['public', 'private'] }),
  ];
  const list = (prefix: string): Promise<readonly DatapathEntry[]> =>
    Promise.resolve(entries.filter(({ path }) => path.startsWith(prefix)));

  it('has all types, names, keys, values and descriptions', async () => {
    const loaded = await loadCatalogueModel(list, ['application'], 'expressions', syntax);
    const from = createLanguageService(loaded, ['application']);
    const correct =
      'application.score > 3 AND application.user.notes.kind == "public" AND application.formdata.21 =~ "B"';
    expect(from.diagnose(correct)).toEqual([]);
    expect(from.diagnose('application.user.notes.kind == "secret"').map(({ code }) => code)).toEqual([
      'unlisted_value',
    ]);
    expect(from.complete('application.formdata.', 21).items).toMatchObject([{ text: '21', label: 'Licence' }]);
    expect(from.hover('application.score > 3', 14)).toMatchObject({ description: 'From 0 to 5.' });
    expect(from.hover(correct, correct.indexOf('notes'))?.signature).toBe('application.user.notes: note[]');
  });

  it('suggests the options of a form item, but accepts other values', async () => {
    const options = [...entries, entry('application.formdata.1003', { values: ['yes', 'no', 'perhaps'] })];
    const find = (prefix: string) => Promise.resolve(options.filter(({ path }) => path.startsWith(prefix)));
    const from = createLanguageService(await loadCatalogueModel(find, ['application'], 'expressions', syntax), [
      'application',
    ]);
    for (const key of ['1003', '1003:2']) {
      const text = `application.formdata.${key} == "`;
      expect(from.complete(text, text.length).items.map((item) => item.text)).toEqual(['"yes"', '"no"', '"perhaps"']);
      expect(from.hover(text + '"', 23)?.values).toEqual(['yes', 'no', 'perhaps']);
      expect(from.diagnose(`${text}unknown"`)).toEqual([]);
    }
    const other = 'application.formdata.21 == "';
    expect(from.complete(other, other.length).items).toEqual([]);
  });

  it('requests a prefix only when no loaded entry begins with it, and only once', async () => {
    const asked: string[] = [];
    const ask = (prefix: string): Promise<readonly DatapathEntry[]> => {
      asked.push(prefix);
      return list(prefix);
    };
    const part = entries.filter(({ path }) => path.startsWith('application.user.'));
    const mixed = await loadCatalogueModel(
      listFromEntries([...part, ...part], ask),
      ['application'],
      'expressions',
      syntax,
    );
    const whole = await loadCatalogueModel(list, ['application'], 'expressions', syntax);
    for (const name of ['application', 'user', 'note']) expect(mixed.type(name)).toEqual(whole.type(name));
    expect(asked).toContain('application.');
    expect(asked).not.toContain('application.user.');
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('diagnoses and completes the common test texts like the model of the tests', async () => {
    const { roots: names, entries: known } = CATALOGUE;
    const find = (prefix: string): Promise<readonly DatapathEntry[]> =>
      Promise.resolve(known.filter(({ path }) => path.startsWith(prefix)));
    const from = createLanguageService(await loadCatalogueModel(find, names, 'expressions', syntax), names);
    for (const { text } of DIAGNOSTICS) expect(from.diagnose(text)).toEqual(service.diagnose(text));
    for (const { text } of COMPLETIONS) {
      const [source, offset] = [text.replace('|', ''), text.indexOf('|')];
      const named = ({ from: start, to, items }: Completions) => ({ start, to, texts: items.map((item) => item.text) });
      expect(named(from.complete(source, offset))).toEqual(named(service.complete(source, offset)));
    }
  });
});
