import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { singularOf, titleById, TITLES } from './collection-titles.js';
import { LABELS } from './field-labels.js';

const GLOSSARY = readFileSync(join(__dirname, '../../../../libs/domain/src/texts/GLOSSARY.md'), 'utf8');

/** Returns the German, French, Spanish and Arabic terms of a row of the glossary. */
function termsOf(english: string): readonly string[] {
  const row = GLOSSARY.split('\n').find((line) => line.startsWith(`| ${english} |`)) ?? '';
  return row.split(' | ').slice(1).map(plain);
}

/** Removes capitals, optional plural endings, the end of the row, and the articles of Arabic words. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\(es\)| \|$/g, '')
    .replace(/(^|\s)ال/g, '$1');

/** The terms that differ from the name of the property, or that the glossary explains in brackets. */
const TERMS: Readonly<Record<string, string>> = {
  body: 'body (of a communication)',
  credential: 'credential(s)',
  event: 'event (kind of opportunity)',
  job_board: 'job board',
  opportunity: 'opportunity (vacancy or event)',
  subject: 'subject (of an e-mail)',
};

it.each([
  ...['application', 'candidate', 'collection', 'communication', 'datapath', 'expression', 'form', 'id', 'key'],
  ...['label', 'language', 'layout', 'posting', 'process', 'recruiter', 'scope', 'state', 'topic', 'type'],
  ...['vacancy', 'value', ...Object.keys(TERMS)],
])('the label of %s is the term of the glossary', (name) =>
  expect(LABELS[name]?.map(plain)).toEqual(termsOf(TERMS[name] ?? name)),
);

it('status and state have different labels in all languages', () => {
  const { state, status } = LABELS;
  expect(status?.filter((label) => state?.includes(label))).toEqual([]);
});

it('the title of an item without a name is the singular of its collection with the id', () => {
  const names = ['recruiters', 'vacancies', 'saved_searches', 'audit_entries', 'systems'];
  expect(names.map((name) => titleById(name, 3)).join(', ')).toBe(
    'Recruiter #3, Vacancy #3, Saved search #3, Audit entry #3, System #3',
  );
  const collections = Object.keys(TITLES).filter((name) => /^[a-z_]+$/.test(name));
  expect(collections.filter((name) => !Object.hasOwn(LABELS, singularOf(name)))).toEqual([]);
});

it('the title of a collection begins like the word for one of its items', () => {
  const begins = (texts: readonly string[] = []): readonly string[] =>
    texts.slice(0, 3).map((text) => text.slice(0, 4));
  // The title of the audit log names the log, not its entries.
  const titles = Object.entries(TITLES).filter(([name]) => name !== 'audit_entries');
  for (const [name, texts] of titles) {
    const label = LABELS[singularOf(name)];
    if (label) expect(begins(texts)).toEqual(begins(label));
  }
});
