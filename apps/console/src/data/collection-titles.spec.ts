import { expect, it } from '@jest/globals';
import { singularOf, titleById, TITLES } from './collection-titles.js';
import { LABELS } from './field-labels.js';

it('an item without a name has a title in the singular', () => {
  const names = ['recruiters', 'vacancies', 'saved_searches', 'audit_entries', 'systems'];
  expect(names.map((name) => titleById(name, 3)).join(', ')).toBe(
    'Recruiter #3, Vacancy #3, Saved search #3, Audit entry #3, System #3',
  );
  const collections = Object.keys(TITLES).filter((name) => /^[a-z_]+$/.test(name));
  expect(collections.filter((name) => !Object.hasOwn(LABELS, singularOf(name)))).toEqual([]);
});
