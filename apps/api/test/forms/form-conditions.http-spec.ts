// @group long: compares 106 fixed and many random conditions in the API and in memory
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConditionWorld, FACT_PATHS, type OwnValues } from './condition-world.js';
import { type ItemIds } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();
let world: ConditionWorld;
let items: ItemIds;

const own = (key: string): string => `application.formdata.${key}`;

/**
 * Each row has a condition, the values to send, and the expected result. `[sent, seen]` stands for a value that the API
 * changes: the value to send, and the value that the API returns.
 */
const EXAMPLES: readonly (readonly [condition: string, values: OwnValues, holds: boolean])[] = [
  // `==` compares values of every type of form item.
  [`${own('t')} == "a"`, { t: 'a' }, true],
  [`${own('t')} == "a"`, { t: 'A' }, false],
  [`${own('t')} == "a"`, {}, false],
  [`${own('t')} == ""`, { t: '' }, true],
  [`${own('t')} == "é"`, { t: 'e\u0301' }, false],
  [`${own('t')} == "😀 \\u202e"`, { t: '😀 \u202e' }, true],
  [`${own('long')} == "a\\nb"`, { long: 'a\nb' }, true],
  [`${own('rich')} == "Bold words"`, { rich: ['<p>Bold <b>words</b></p>', 'Bold words'] }, true],
  [`${own('n')} == 3`, { n: 3 }, true],
  [`${own('n')} == 3.0`, { n: 3 }, true],
  [`${own('n')} == -3`, { n: -3 }, true],
  [`${own('d')} == 0.1`, { d: 0.1 }, true],
  [`${own('d')} == 0.1`, { d: 0.10001 }, false],
  [`${own('ok')} == true`, { ok: true }, true],
  [`${own('ok')} == TRUE`, { ok: false }, false],
  [own('ok'), { ok: true }, true],
  [own('ok'), {}, false],
  [`NOT ${own('ok')}`, {}, true],
  [`${own('day')} == "2026-03-01"`, { day: '2026-03-01' }, true],
  [`${own('day')} == DATE("2026-03-01")`, { day: '2026-03-02' }, false],
  [`${own('at')} == DATE("2026-03-01")`, { at: ['2026-03-01T23:30:00+01:00', '2026-03-01T22:30:00.000Z'] }, true],
  [`${own('at')} == DATE("2026-03-01T12:00Z")`, { at: '2026-03-01T12:00:00.000Z' }, true],
  [`${own('one')} == "ÄÖ"`, { one: 'ÄÖ' }, true],
  [`${own('mail')} == "a@example.com"`, { mail: 'a@example.com' }, true],
  [`${own('tel')} == "112"`, { tel: '112' }, true],
  // Inequality and missing values.
  [`${own('t')} != "a"`, {}, true],
  [`${own('t')} != "a"`, { t: 'b' }, true],
  [`${own('n')} != 3`, { n: 3 }, false],
  [`${own('t')} == NULL`, {}, true],
  [`${own('t')} == null`, { t: '' }, false],
  [`${own('t')} != NULL`, { t: ' ' }, true],
  [`${own('many')} == NULL`, { many: [] }, true],
  [`${own('many')} == NULL`, {}, true],
  [`${own('many')} != NULL`, { many: ['B'] }, true],
  // Order comparisons; null is neither less nor greater.
  [`${own('n')} < 3`, { n: 2 }, true],
  [`${own('n')} <= 3`, { n: 3 }, true],
  [`${own('n')} > 3`, {}, false],
  [`NOT ${own('n')} > 3`, {}, true],
  [`${own('n')} >= 3`, { n: 2 }, false],
  [`3 < ${own('n')}`, { n: 4 }, true],
  [`${own('d')} > ${own('n')}`, { d: 2.5, n: 2 }, true],
  [`${own('n')} + 1 > ${own('d')}`, { d: 2.5, n: 2 }, true],
  [`${own('n')} - 1 == 1`, {}, false],
  [`${own('t')} < "b"`, { t: 'a' }, true],
  [`${own('t')} < "B"`, { t: 'a' }, false],
  [`${own('day')} > "2026-01-01"`, { day: '2026-01-02' }, true],
  // Substrings.
  [`${own('t')} =~ "STRA"`, { t: 'Hauptstraße' }, true],
  [`${own('t')} =~ "%"`, { t: 'a' }, false],
  [`${own('t')} !~ "a"`, {}, true],
  [`${own('t')} !~ "a"`, { t: 'xAx' }, false],
  [`${own('rich')} =~ "<b>"`, { rich: ['<b>x</b>', 'x'] }, false],
  [`${own('rich')} =~ "old w"`, { rich: ['<b>Bold</b> words', 'Bold words'] }, true],
  [`${own('mail')} =~ "@EXAMPLE."`, { mail: 'a@example.com' }, true],
  // Lists.
  [`${own('one')} IN ("B", "C")`, { one: 'C' }, true],
  [`${own('one')} IN {"B", "C"}`, { one: 'ÄÖ' }, false],
  [`${own('one')} NOT IN ("B")`, {}, true],
  [`${own('n')} IN (1, NULL)`, {}, true],
  [`${own('t')} not in ("a")`, { t: 'a' }, false],
  // To-many datapaths: `==`, `=~` and IN need an element that matches. `!=`, `!~` and NOT IN are true only when none
  // matches.
  [`${own('many')} == "B"`, { many: ['C', 'B'] }, true],
  [`${own('many')} != "B"`, { many: ['C', 'B'] }, false],
  [`${own('many')} != "B"`, { many: ['C'] }, true],
  [`${own('many')} IN ("ÄÖ", "B")`, { many: ['C', 'ÄÖ'] }, true],
  [`${own('many')} =~ "ä"`, { many: ['ÄÖ'] }, true],
  [`${own('many')} == "B" AND ${own('many')} == "C"`, { many: ['B', 'C'] }, true],
  ['application.tags == "hot"', {}, true],
  ['application.tags == "cold"', {}, false],
  ['application.tags !~ "o"', {}, false],
  ['application.vacancy.tags == NULL', {}, true],
  ['application.candidate.Address.City == "Wien"', {}, true],
  ['application.candidate.Address.City != "Wien"', {}, false],
  ['application.candidate.Address.City NOT IN ("Rom")', {}, true],
  ['application.candidate.Phone.Number == NULL', {}, true],
  [`application.candidate.Address.City == ${own('t')}`, { t: 'Berlin' }, true],
  // Precedence and parentheses.
  [`${own('ok')} AND ${own('n')} > 1 OR ${own('t')} == "x"`, { t: 'x' }, true],
  [`${own('ok')} AND (${own('n')} > 1 OR ${own('t')} == "x")`, { t: 'x' }, false],
  [`NOT ${own('ok')} AND ${own('n')} == 1`, { n: 1 }, true],
  [`not (${own('ok')} or ${own('n')} == 1)`, { n: 1 }, false],
  [`NOT NOT ${own('ok')}`, { ok: true }, true],
  ['TRUE', {}, true],
  ['FALSE OR 1 == 2', {}, false],
  // Dates and durations.
  [`${own('day')} <= DATE("today")`, { day: '2000-01-01' }, true],
  [`${own('day')} > DATE("today") + DTDURATION(7, 0, 0, 0)`, { day: '9999-12-31' }, true],
  [`${own('at')} < DATE("now")`, { at: '2026-01-01T00:00:00.000Z' }, true],
  [`${own('at')} - DTDURATION(0, 1, 30, 0) >= DATE("2026-03-01")`, { at: '2026-03-01T01:30:00.000Z' }, true],
  [`${own('at')} - DTDURATION(0, 1, 30, 1) >= DATE("2026-03-01")`, { at: '2026-03-01T01:30:00.000Z' }, false],
  ['application.opportunity.closing_date > DATE("today")', {}, true],
  ['application.opportunity.closing_date - DTDURATION(10, 0, 0, 0) <= DATE("today")', {}, true],
  ['application.vacancy.opening_date < DATE("now")', {}, true],
  // Values of the application and its opportunity.
  ['application.opportunity.location == "Berlin"', {}, true],
  ['application.opportunity.title =~ "engin" AND application.rating >= 3', {}, true],
  ['application.source == NULL', {}, true],
  ['application.event.venue == NULL', {}, true],
  ['application.posting.title != "x"', {}, true],
  ['application.user.fullname == "Ada Byron"', {}, true],
  ['application.candidate.date_of_birth < "2000-01-01"', {}, true],
  ['application.main_process_state.state.state == "submitted"', {}, true],
  // Items of other forms, and further instances of sections and forms.
  ['application.formdata.$other > 5', {}, true],
  ['application.formdata.$other:2 == NULL', {}, true],
  ['application.formdata.$other:1:2 > 5', {}, false],
  ['application.vacancy.formdata.$grade == "senior"', {}, true],
  ['application.opportunity.formdata.$grade =~ "JUN"', {}, false],
  [`${own('t:2')} == "second"`, { 't:2': 'second' }, true],
  [`${own('t')} == "second"`, { 't:2': 'second' }, false],
  [`${own('t:1:2')} == "other form"`, { 't:1:2': 'other form' }, true],
  [`${own('t:2:2')} == NULL`, { 't:2': 'x', 't:1:2': 'x' }, true],
  [`${own('t:1:1')} == ${own('t:2')}`, { t: 'same', 't:2': 'same' }, true],
];

const sentOf = (values: OwnValues): OwnValues =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, isPair(key, value) ? value[0] : value]));
const seenOf = (values: OwnValues): OwnValues =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, isPair(key, value) ? value[1] : value]));
const isPair = (key: string, value: unknown): value is readonly [unknown, unknown] =>
  Array.isArray(value) && key !== 'many';

beforeAll(async () => {
  world = await ConditionWorld.create(api, make, forms);
});

describe('a condition', () => {
  beforeAll(async () => {
    items = await world.formWith(EXAMPLES.map(([condition]) => condition));
  });

  test.each(EXAMPLES.map((example, index) => [example[0], example[1], example[2], index] as const))(
    'has the same result in the API and in memory: %s with %j is %s',
    async (condition, values, holds, index) => {
      const probe = { ...items, p0: items[`p${index}`] ?? 0 };
      expect([
        await world.askApi(probe, [condition], sentOf(values)),
        await world.askClosure(condition, seenOf(values)),
      ]).toEqual([[holds], holds]);
    },
  );

  test('has the same result in the API and in memory for random conditions and values', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(CONDITION, { minLength: 20, maxLength: 20 }),
        fc.array(VALUES, { minLength: 4, maxLength: 4 }),
        async (conditions, sets) => {
          const form = await world.formWith(conditions);
          for (const values of sets) {
            const said = await world.askApi(form, conditions, sentOf(values));
            const meant = await Promise.all(conditions.map((condition) => world.askClosure(condition, seenOf(values))));
            expect(conditions.map((condition, index) => [condition, said[index]])).toEqual(
              conditions.map((condition, index) => [condition, meant[index]]),
            );
          }
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  }, 400_000);
});

/** Generates only few texts, so that comparisons often match. */
const TEXT = fc.constantFrom('a', 'A', 'ab', '', 'ß', 'SS', 'e\u0301', 'é', 'Σ', 'ς', '😀', 'Berlin', '1', 'B', 'C');
const NUMBER = fc.constantFrom(-1, 0, 1, 2, 3, 7);
const DAY = fc.constantFrom('1990-05-01', '2000-02-29', '2026-03-01', '9000-01-01');
const MOMENT = fc.constantFrom(
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T12:00:00.500Z',
  '9000-01-01T00:00:00.000Z',
);
const CHOICE = fc.constantFrom('B', 'C', 'ÄÖ');

const VALUES: fc.Arbitrary<OwnValues> = fc.record(
  {
    t: TEXT,
    long: TEXT,
    't:2': TEXT,
    't:1:2': TEXT,
    n: NUMBER,
    d: fc.oneof(NUMBER, fc.constantFrom(0.5, 2.5)),
    ok: fc.boolean(),
    day: DAY,
    at: MOMENT,
    one: CHOICE,
    many: fc.uniqueArray(CHOICE, { maxLength: 3 }),
    rich: fc.constantFrom(['<b>a</b>b', 'ab'], ['', ''], ['A &amp; B', 'A & B']),
    mail: fc.constant('a@example.com'),
    tel: fc.constant('112'),
  },
  { requiredKeys: [] },
);

const quoted = (text: string): string => JSON.stringify(text);
const oneOf = (...paths: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...paths);
const OF_TEXT = oneOf(
  ...['t', 't:2', 't:1:2', 'long', 'rich', 'one', 'many', 'mail', 'tel'].map(own),
  'application.source',
  'application.tags',
  'application.opportunity.location',
  'application.event.venue',
  'application.user.firstname',
  'application.candidate.Address.City',
  'application.candidate.Phone.Number',
  'application.vacancy.formdata.$grade',
);
const OF_NUMBER = oneOf(
  ...['n', 'd'].map(own),
  'application.rating',
  'application.vacancy.openings',
  'application.formdata.$other',
);
const OF_DAY = oneOf(
  own('day'),
  own('at'),
  'application.opportunity.closing_date',
  'application.vacancy.opening_date',
  'application.candidate.date_of_birth',
);
const ANY_PATH = fc.oneof(OF_TEXT, OF_NUMBER, OF_DAY, fc.constantFrom(own('ok'), ...FACT_PATHS));
const EQUALITY = oneOf('==', '!=');
const ORDER = oneOf('<', '<=', '>', '>=', '==', '!=');

const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(' '));
const list = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(oneOf('IN', 'NOT IN'), fc.array(fc.oneof(of, fc.constant('NULL')), { minLength: 1, maxLength: 3 }))
    .map(([operator, items]) => `${operator} (${items.join(', ')})`);
const DATES = fc.oneof(
  DAY.map((day) => `DATE("${day}")`),
  MOMENT.map((at) => `DATE("${at}")`),
  fc.constantFrom(
    'DATE("today")',
    'DATE("now")',
    'DATE("2026-03-01") - DTDURATION(1, 0, 0, 0)',
    'DATE("2026-03-01") + DTDURATION(0, 12, 0, 0)',
  ),
);

const COMPARISON = fc.oneof(
  joined(OF_TEXT, fc.oneof(EQUALITY, ORDER), TEXT.map(quoted)),
  joined(OF_TEXT, oneOf('=~', '!~'), TEXT.filter((text) => text !== '').map(quoted)),
  joined(OF_TEXT, list(TEXT.map(quoted))),
  joined(OF_TEXT, EQUALITY, OF_TEXT),
  joined(OF_NUMBER, ORDER, NUMBER.map(String)),
  joined(OF_NUMBER, ORDER, OF_NUMBER, oneOf('+', '-'), NUMBER.filter((number) => number >= 0).map(String)),
  joined(OF_NUMBER, list(NUMBER.map(String))),
  joined(OF_DAY, ORDER, DATES),
  joined(OF_DAY, ORDER, OF_DAY),
  joined(ANY_PATH, EQUALITY, fc.constant('NULL')),
  fc.constant(own('ok')),
  joined(fc.constant(own('ok')), EQUALITY, oneOf('TRUE', 'FALSE')),
);

const { CONDITION } = fc.letrec<{ readonly CONDITION: string; readonly PART: string }>((tie) => ({
  CONDITION: fc.oneof(
    { depthSize: 'small' },
    COMPARISON,
    joined(tie('PART'), oneOf('AND', 'OR'), tie('PART')),
    tie('PART').map((part) => `NOT ${part}`),
  ),
  PART: fc.oneof(
    { depthSize: 'small' },
    COMPARISON,
    tie('CONDITION').map((condition) => `(${condition})`),
  ),
}));
