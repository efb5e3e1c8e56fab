// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../workspace.mjs';
import { check, missing, sorted } from './check.mjs';
import { findTexts, textsIn } from './texts.mjs';

const CODE = [
  "const one = message`it's not found`;",
  '',
  'const more = (max: number, found: string) => [message`expected at most ${max} items, found ${quote(found)}`, other`not this one`];',
].join('\n');
const { texts } = textsIn(CODE, 'a.ts');
const [ONE, MORE] = texts.map(({ key }) => key);
const WHOLE = {
  [MORE]: 'höchstens {0, plural, one {ein Element} other {{0} Elemente}} erwartet, {1} gefunden',
  [ONE]: 'nicht gefunden',
};

/**
 * Returns the errors in a German catalogue.
 * @param {Record<string, string>} catalogue @param {readonly string[]} [same]
 */
const faultsOf = (catalogue, same = []) => check(texts, { de: sorted(catalogue) }, { de: same });

test('the check of messages finds message texts by their tag, with the code of their values and their positions', () => {
  assert.deepEqual(texts, [
    { key: "it''s not found", values: [], place: 'a.ts:1' },
    { key: 'expected at most {0} items, found {1}', values: ['max', 'quote(found)'], place: 'a.ts:3' },
  ]);
});

test('the check of messages refuses texts that are composed of English words', () => {
  const place = 'a.ts:1 composes a text of English words, which cannot be translated: ';
  for (const value of [
    "isOne ? 'item' : 'items'",
    "(isOne ? 'item' : many)",
    "name ?? 'nothing'",
    "rest + ' more'",
    'isOne ? `${n} item` : n',
  ]) {
    assert.deepEqual(textsIn(`message\`found \${${value}}\``, 'a.ts').faults, [
      place + value.replace(/^\(.*\)$/, value),
    ]);
  }
  for (const value of ['name', "name ?? '—'", "quote('a')", 'message`b`', 'isOne ? a : b', "list.join(', ')"])
    assert.deepEqual(textsIn(`message\`found \${${value}}\``, 'a.ts').faults, []);
});

test('the check of messages finds the texts of apps and libraries, but not the texts of specs', () => {
  const found = findTexts(root);
  assert.ok(
    found.texts.some(
      ({ key, place }) => key === 'Validation failed' && place.startsWith('apps/api/src/request/problem.filter.ts:'),
    ),
  );
  assert.ok(found.texts.some(({ place }) => place.startsWith('libs/domain/src/')));
  assert.ok(found.texts.every(({ place }) => !place.includes('spec')));
});

test('the check of messages accepts a complete catalogue', () => {
  assert.deepEqual(faultsOf(WHOLE), []);
  assert.deepEqual(check(texts, { en: {} }, {}), []);
  assert.deepEqual(missing(texts, WHOLE), {});
});

test('the check of messages reports a missing translation', () => {
  const catalogue = { [ONE]: 'nicht gefunden' };
  assert.deepEqual(faultsOf(catalogue), [`de.json has no translation of "${MORE}" (a.ts:3)`]);
  assert.deepEqual(missing(texts, catalogue), { [MORE]: { values: ['max', 'quote(found)'], places: ['a.ts:3'] } });
});

test('the check of messages reports errors in a translation', () => {
  /** @type {[string, string][]} */
  const wrong = [
    [
      'höchstens {0} Elemente erwartet',
      `de.json has other values in its translation of "${MORE}", or in one plural form: expected {0} {1}, found {0}`,
    ],
    [
      '{0} {1} {2}',
      `de.json has other values in its translation of "${MORE}", or in one plural form: ` +
        'expected {0} {1}, found {0} {1} {2}',
    ],
    [
      '{0, plural, one {#} other {{0}}} {1}',
      `de.json writes # in its translation of "${MORE}": write {0}, so that numbers stay unformatted`,
    ],
    [
      '{0, plural, one {{0} {1}} other {viele}}',
      `de.json has other values in its translation of "${MORE}", or in one plural form: expected {0} {1}, found {0}`,
    ],
    ['{0, number} {1}', `de.json formats a value in its translation of "${MORE}": values must stay unformatted`],
    ['{0, plural, other {{0} Elemente}} {1}', `de.json lacks the plural form "one" in its translation of "${MORE}"`],
    ['{0} {1', `de.json has a translation of "${MORE}" that is not a valid ICU message: EXPECT_ARGUMENT_CLOSING_BRACE`],
    [
      '{0, plural, one {{0}}} {1}',
      `de.json has a translation of "${MORE}" that is not a valid ICU message: MISSING_OTHER_CLAUSE`,
    ],
    [MORE, `de.json has the English text as translation of "${MORE}"`],
    [
      '{0} \u2068{1}\u2069',
      `de.json isolates a value in its translation of "${MORE}": values are isolated when they are inserted`,
    ],
    ['{0} {1} ', `de.json has an empty translation of "${MORE}", or one with spaces around it`],
  ];
  for (const [text, fault] of wrong) assert.deepEqual(faultsOf({ ...WHOLE, [MORE]: text }), [fault]);
});

test('the check of messages requires all plural forms of the language', () => {
  const plural = (/** @type {string} */ forms) => ({ [MORE]: `{0, plural, ${forms}} {1}`, [ONE]: 'x' });
  const two = plural('one {a} other {b}');
  assert.deepEqual(
    check(texts, { ar: sorted(two) }, {}),
    ['two', 'few', 'many'].map((form) => `ar.json lacks the plural form "${form}" in its translation of "${MORE}"`),
  );
  assert.deepEqual(
    check(texts, { fr: sorted(two), ar: sorted(plural('one {a} two {b} few {c} many {d} other {e}')) }, {}),
    [],
  );
});

test('the check of messages reports unused and unsorted keys in every catalogue', () => {
  assert.deepEqual(
    check(texts, { en: { [MORE]: '{0, plural, one {one item} other {{0} items}} {1}', b: 'B', a: 'A' } }, {}),
    [
      'en.json translates "b", which no code uses',
      'en.json translates "a", which no code uses',
      'en.json is not sorted by key: npm run messages -- --sort',
    ],
  );
});

test('the check of messages accepts a translation that equals the English text only when same-as-english.json lists it', () => {
  assert.deepEqual(faultsOf({ ...WHOLE, [ONE]: ONE }, [ONE]), []);
  assert.deepEqual(faultsOf(WHOLE, [ONE]), [
    `de.json translates "${ONE}" differently, but same-as-english.json lists it`,
  ]);
});

test('the check of messages refuses an unknown language in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/messages.mjs'), '--missing', 'xx'], {
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr.split('\n')[0]], [1, 'expected one of de, fr, es, ar, found xx']);
});
