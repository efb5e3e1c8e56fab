import { expect, it } from '@jest/globals';
import { fromAnswer, type Item, textOfAnswer } from './answers.js';

const item = (type: string): Item => ({
  id: 1,
  key: 'a',
  label: 'A',
  type,
  required: false,
  visible_if: null,
  options: [],
});

it.each([
  ['integer', '12', 12],
  ['integer', 'many', 'many'],
  ['boolean', 'false', false],
  ['multi_select', 'A\nB', ['A', 'B']],
  ['text', '', null],
  ['text', '007', '007'],
])('a form field of the type %s with the input %j gives the form value %j', (type, text, value) => {
  expect(fromAnswer(item(type), text)).toEqual(value);
  const answer = { item_id: 1, section_instance: 1, form_instance: 1, value };
  expect(textOfAnswer(item(type), [answer])).toBe(text);
});
