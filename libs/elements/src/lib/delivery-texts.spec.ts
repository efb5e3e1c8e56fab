import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { logText } from './delivery-texts.js';
import { type Language } from './languages.js';
import { partText } from './part-texts.js';

const GLOSSARY = readFileSync(join(__dirname, '../../../domain/src/texts/GLOSSARY.md'), 'utf8');
const LANGUAGES: readonly Language[] = ['de', 'fr', 'es', 'ar'];

/** Returns the German, French, Spanish and Arabic terms of a row of the glossary. */
const termsOf = (english: string): readonly string[] => {
  const row = GLOSSARY.split('\n').find((line) => line.startsWith(`| ${english} |`)) ?? '';
  return row.replace(/ \|$/, '').split(' | ').slice(1).map(plain);
};

/** Removes capitals, the endings of the plural, the placeholder of a text, and the articles of Arabic words. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ ?\{id\}/, '')
    .replace(/(^|\s)ال/g, '$1');
/** Removes the endings of the plural. */
const singular = (text: string): string => text.replace(/^المحاولات$/, 'محاولة').replace(/(?<=ch)e$|s$/, '');

it.each([
  ['attempt (of a delivery)', 'attemptCount'],
  ['delivery', 'delivery'],
  ['held (of a delivery)', 'status.held'],
  ['message (of a subscription)', 'message'],
  ['state', 'state'],
  ['topic', 'topic'],
] as const)('%s has the term of the glossary in the delivery log', (term, key) => {
  const texts = LANGUAGES.map((language) => plain(singular(logText(language, key))));
  expect(texts).toEqual(termsOf(term).map(singular));
});

it('a request has the term of the glossary', () =>
  expect(LANGUAGES.map((language) => plain(partText(language, 'problem.request')))).toEqual(termsOf('request')));
