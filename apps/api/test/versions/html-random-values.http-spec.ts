// @group long: compares random values
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Item } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { expectStatus, Factories } from '../support/factories.js';
import { FormFactories, valuesOf } from '../support/form-factories.js';
import { asRead, at, HTML, readHtml } from './html-reading.js';

let api: Api;
beforeAll(async () => void (api = await Api.start()));
afterAll(() => api.close());

const PIECES = [
  '<b>',
  '</b>',
  '<!--',
  '&',
  '&amp;',
  '&#39;',
  '&lt',
  '"',
  "'",
  '<',
  '>',
  '\r\n',
  '\r',
  '\n',
  '\t',
  ' ',
  '\\',
  '%',
  '</script>',
  'مرحبا',
  '😀',
  'é',
  '\u202e',
];
const letter = fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }).filter((text) => !text.includes('\0'));
const text = fc.array(fc.oneof(fc.constantFrom(...PIECES), letter), { maxLength: 12 }).map((pieces) => pieces.join(''));
const moment = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const decimal = fc
  .oneof(fc.integer({ min: -1000, max: 1000 }), fc.maxSafeInteger())
  .map((millionths) => millionths / 1e6);

/** Generates values to write, by item type. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text,
  textarea: text,
  integer: fc.maxSafeInteger(),
  decimal,
  boolean: fc.boolean(),
  date: moment.map((iso) => iso.slice(0, 10)),
  datetime: moment,
};
const TYPES = Object.keys(VALUES);

test('below 1.9, the HTML of any value shows the text of the value, in forms and layouts', async () => {
  const make = new Factories(api);
  const forms = new FormFactories(api, make);
  const items = await forms.itemsOf(Object.fromEntries(TYPES.map((type) => [type, { type }])));
  const columns = ['source', 'tags', ...TYPES.map((type) => `formdata.${items[type]}`)].map((datapath) => ({
    title: 'T',
    datapath,
  }));
  const [application, layout] = [await make.application(), await make.layout({ columns })];
  const opportunity_id = (application['opportunity'] as Item).id;

  await fc.assert(
    fc.asyncProperty(
      fc.record(VALUES),
      text,
      fc.array(
        text.filter((tag) => tag !== ''),
        { maxLength: 3 },
      ),
      async (values, source, tags) => {
        const user_id = (application['user'] as Item).id;
        expectStatus(200, await api.put(`/applications/${application.id}`, { opportunity_id, user_id, source, tags }));
        expectStatus(
          200,
          await forms.write(
            application,
            TYPES.map((type) => ({ item_id: items[type], value: values[type] })),
          ),
        );
        const shown = async (query: string) =>
          (await api.get(`/applications/${application.id}?layout=${layout.id}${query}`, at('1.8'))).item[
            'layout_data'
          ] as readonly Item[];
        const inForm = async (query: string) =>
          valuesOf(await api.get(`/applications/${application.id}/form_values${query}`, at('1.8')));
        const [layoutPlain, layoutHtml, formPlain, formHtml] = [
          await shown(''),
          await shown(`&${HTML}`),
          await inForm(''),
          await inForm(`?${HTML}`),
        ];
        expect(layoutHtml.map(({ value }) => readHtml(value))).toEqual(layoutPlain.map(({ value }) => asRead(value)));
        expect(formHtml.map(({ value }) => readHtml(value))).toEqual(formPlain.map(({ value }) => asRead(value)));
        // Layouts and forms must give equal HTML, although layouts format values in SQL and forms in memory.
        expect(layoutHtml.slice(2).map(({ value }) => value)).toEqual(formHtml.map(({ value }) => value));
        expect(formPlain.map(({ value }) => value)).toEqual(TYPES.map((type) => values[type]));
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
}, 300_000);
