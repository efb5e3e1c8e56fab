import { expect, test } from '@jest/globals';
import { withoutRepeatedTexts } from './repeated-texts.js';

const LONG = 'The vacancy or event for which the candidate applies, with its identity and its title.';
const object = (description: string): object => ({ type: 'object', properties: { owner: { description } } });

test('a body refers to the long description that the answer has', () => {
  const { a_create: body, vacancies } = withoutRepeatedTexts({
    a_create: { ...object(LONG) },
    vacancies: { ...object(LONG) },
  });
  expect(vacancies).toEqual(object(LONG));
  expect(body).toEqual(object('See `vacancies.owner`.'));
});

test('a short description is repeated', () => {
  const schemas = { events: { ...object('The owner.') }, vacancies: { ...object('The owner.') } };
  expect(withoutRepeatedTexts(schemas)).toEqual(schemas);
});
