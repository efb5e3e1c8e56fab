import { expect, it } from '@jest/globals';
import { placesOf, sectionsWith } from './conditions.js';

const question = (id: number, visible_if: string | null) => ({
  ...{ id, key: `q${id}`, label: `Question ${id}`, visible_if },
  type: 'text',
});
const form = {
  resource: 'applications',
  sections: [
    { name: 'One', items: [question(1, null)] },
    { name: 'Two', items: [question(2, 'application.id > 1'), question(3, null)] },
  ],
};

it('each question of a form gets its condition and the pointer of the condition in the body', () => {
  const places = placesOf(form, new Map([[3, 'application.id > 3']]));
  expect(places.map(({ id, condition, pointer }) => [id, condition, pointer])).toEqual([
    [1, null, '/sections/0/items/0/visible_if'],
    [2, 'application.id > 1', '/sections/1/items/0/visible_if'],
    [3, 'application.id > 3', '/sections/1/items/1/visible_if'],
  ]);
});

it('sectionsWith replaces the conditions that changed, and keeps all other properties', () => {
  const [one, two] = sectionsWith(
    form,
    new Map([
      [1, '  '],
      [2, null],
      [3, ' application.id > 3 '],
    ]),
  );
  expect(one).toEqual(form.sections[0]);
  expect(two).toEqual({ name: 'Two', items: [question(2, null), question(3, 'application.id > 3')] });
});
