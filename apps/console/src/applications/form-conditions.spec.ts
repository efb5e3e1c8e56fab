import { expect, it } from '@jest/globals';
import { type LanguageModel } from '@ats/datapath';
import { type Form, type Item } from './answers.js';
import { FormConditions } from './form-conditions.js';

const MODEL: LanguageModel = {
  collections: [{ name: 'formdata', key: [{ name: 'item' }, { name: 'section' }, { name: 'form' }] }],
  type: (name) =>
    name === 'application'
      ? {
          name,
          attributes: { source: { type: 'text' }, age_days: { type: 'integer' } },
          relations: {},
          collections: ['formdata'],
        }
      : undefined,
};
const question = (id: number, key: string, type: string, visible_if: string | null): Item => ({
  id,
  key,
  label: key,
  type,
  required: false,
  visible_if,
  options: [],
});
const items = [
  question(1, 'licence', 'single_select', null),
  question(2, 'years', 'integer', 'application.formdata.licence != "none"'),
  question(3, 'lorry', 'boolean', 'application.formdata.years:1:1 > 2 AND application.source == "fair"'),
  question(4, 'old', 'text', 'application.age_days > 3'),
  question(5, 'broken', 'text', 'application.nothing == 1'),
];
const form: Form = { name: 'Test', sections: [{ name: 'One', items }] };
const conditions = new FormConditions('application', [form], MODEL);

it.each([
  ['none', null, [true, false, false, undefined, true]],
  ['B', 2, [true, true, false, undefined, true]],
  ['B', 3, [true, true, true, undefined, true]],
])('with the licence %s and %p years, the questions are visible: %p', (licence, years, expected) => {
  const answers = new Map<number, unknown>([
    [1, licence],
    [2, years],
  ]);
  const values = { object: { source: 'fair' }, answerOf: (id: number) => answers.get(id) };
  expect(items.map((item) => conditions.isVisible(item, values))).toEqual(expected);
});
