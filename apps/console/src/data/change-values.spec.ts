import { expect, it } from '@jest/globals';
import { referenceOf } from './change-values.js';

it.each([
  [{ id: 4 }, 'posting', { id: 4, url: '', collection: 'postings' }],
  [{ id: 4 }, 'copied_to', { id: 4, url: '', collection: 'event_applications' }],
  [{ id: 4, url: 'x/4' }, 'other', { id: 4, url: 'x/4', collection: '' }],
  [{ name: 'Interview' }, 'state', undefined],
  [[1], 'posting', undefined],
  [null, 'posting', undefined],
])('the changed value %j of the property %s refers to %j', (value, name, expected) => {
  expect(referenceOf(value, name, 'event_applications')).toEqual(expected);
});
