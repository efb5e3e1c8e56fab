import { describe, expect, it } from '@jest/globals';
import {
  checkExpression,
  checkModel,
  compile,
  createLanguageService,
  DatapathError,
  type EvaluationContext,
  explainExpression,
  formatViolation,
  type HostFunction,
  ModelError,
  type ObjectModel,
  type ObjectShape,
  parseExpression,
  TopicIndex,
  valuesOf,
} from '../index.js';

const functions: readonly HostFunction[] = [
  { name: 'UPPER', parameters: ['text'], result: 'text', call: (text: string) => text.toUpperCase() },
  { name: 'JOIN', parameters: ['text', 'text'], result: 'text', call: (...texts: string[]) => texts.join('') },
  { name: 'YEAR', parameters: ['date'], result: 'integer', call: (day: string) => Number(day.slice(0, 4)) },
  { name: 'HOUR', parameters: ['datetime'], result: 'integer', call: (moment: Date) => moment.getUTCHours() },
  { name: 'NEXT', parameters: ['date'], result: 'date', call: (day: string) => new Date(Date.parse(day) + 86_400_000) },
  { name: 'ODD', parameters: ['integer'], result: 'boolean', call: (number: number) => number % 2 === 1 },
  {
    name: 'FAIL',
    parameters: ['integer'],
    result: 'integer',
    call: () => {
      throw new Error('called');
    },
  },
  { name: 'WRONG', parameters: [], result: 'integer', call: () => 'text' },
];
const order: ObjectShape = {
  name: 'order',
  attributes: {
    note: { type: 'text' },
    tags: { type: 'text', many: true },
    total: { type: 'integer' },
    due: { type: 'date' },
    sent: { type: 'datetime' },
  },
  relations: {},
};
const model: ObjectModel = { functions, type: (name) => (name === 'order' ? order : undefined) };
const compileOrder = (text: string) => compile(text, model, ['order']);
const contextOf = (values: Record<string, unknown>): EvaluationContext => ({
  valueOf: valuesOf({ order: values }),
  now: new Date('2026-11-21T09:30:00Z'),
  timeZone: 'Europe/Vienna',
});
const values = {
  note: 'ink',
  tags: ['new', 'big'],
  total: 7,
  due: '2026-12-31',
  sent: '2026-12-31T23:30:00Z',
};

function violationsOf(text: string): readonly string[] {
  try {
    compileOrder(text);
  } catch (error) {
    if (error instanceof DatapathError)
      return error.violations.map((one) => `${one.code} ${formatViolation(one).split('\n')[0] ?? ''}`);
    throw error;
  }
  throw new Error(`${text} has no violation`);
}

describe('a function of the host', () => {
  it.each([
    ['UPPER(order.note) == "INK"', true],
    ['upper( order.note ) == "ink"', false],
    ['UPPER(UPPER("a")) == "A"', true],
    ['JOIN(order.note, "-") == "ink-"', true],
    ['UPPER(order.tags) == "BIG"', true],
    ['JOIN(order.note, order.tags) IN {"inknew", "x"}', true],
    ['UPPER(order.note) =~ "nk"', true],
    ['YEAR(order.due) + 1 == 2027', true],
    ['YEAR("2020-01-01") == 2020', true],
    ['YEAR(order.sent) == 2027', true],
    ['HOUR(order.sent) == 23', true],
    ['NEXT(order.due) - DTDURATION(1,0,0,0) == order.due', true],
    ['ODD(order.total) AND NOT ODD(order.total + 1)', true],
    ['UPPER(NULL) == NULL', true],
    ['WRONG() != 1 AND WRONG() != NULL', true],
  ])('is called in the expression %s', (text, expected) => {
    expect(compileOrder(text).evaluate(contextOf(values))).toBe(expected);
  });

  it('is not called for a missing argument, and the result is then missing', () => {
    const compiled = compileOrder('UPPER(order.note) == NULL AND FAIL(order.total) == NULL');
    expect(compiled.test(contextOf({}))).toBe(true);
    expect(compileOrder('UPPER(order.tags) == NULL').test(contextOf({ tags: [] }))).toBe(true);
  });

  it('makes the result unknown when it throws', () => {
    expect(compileOrder('FAIL(order.total) == 1').evaluate(contextOf(values))).toBeUndefined();
    expect(compileOrder('FAIL(order.total) == 1 OR order.total == 7').evaluate(contextOf(values))).toBe(true);
  });

  it('does not hide an unknown time zone', () => {
    const context = { ...contextOf(values), timeZone: 'Europe/Wien' };
    expect(() => compileOrder('NEXT(order.due) == "2027-01-01"').evaluate(context)).toThrow('found "Europe/Wien"');
  });

  it.each([
    [
      'UPPER(order.total) == "A"',
      'type_mismatch 1:7: argument 1 of UPPER must be a text but found "order.total" (a number)',
    ],
    ['UPPER(order.nte) == "A"', 'unknown_name 1:13: order has no attribute or relation "nte"; did you mean "note"?'],
    ['HOUR(order.due) == 1', 'type_mismatch 1:6: argument 1 of HOUR must be a datetime but found "order.due" (a date)'],
    ['YEAR("soon") == 1', 'invalid_date 1:6: expected a date such as "YYYY-MM-DD" or "YYYY-MM-DDThh:mm:ssZ"'],
    ['JOIN(order.tags, order.tags) == "a"', 'operator_not_allowed 1:1: at most one argument of JOIN may be a list'],
    ['UPPER(order.note) == 1', 'type_mismatch 1:1: cannot compare a text with a number; write "1"'],
    ['JOIN(order.note) == "a"', 'unexpected_token 1:16: expected "," but found ")"'],
    ['UPPER(order.note, "a") == "a"', 'unexpected_token 1:17: expected ")" but found ","'],
    ['UPPER(order.note == "a")', 'unexpected_token 1:18: expected ")" but found "=="'],
    ['LOWER(order.note) == "a"', 'unexpected_token 1:6: expected AND, OR or end of text but found "("'],
  ])('is checked: %s has a violation', (text, expected) => {
    expect(violationsOf(text)).toEqual([expected]);
  });

  it('can be nested 32 deep', () => {
    const nested = (depth: number): string => `${'UPPER('.repeat(depth)}"a"${')'.repeat(depth)} == "A"`;
    expect(compileOrder(nested(32)).test(contextOf({}))).toBe(true);
    expect(violationsOf(nested(33))).toEqual(['limit_exceeded 1:198: at most 32 parentheses may be nested']);
  });

  it('does not hide a datapath of the same name without parentheses', () => {
    const upper: ObjectModel = { functions, type: () => ({ ...order, name: 'upper' }) };
    expect(compile('upper.note == "a"', upper, ['upper']).datapaths).toEqual(['upper.note']);
  });

  it('works in explanations, the topic index and the language service', () => {
    const compiled = compileOrder('upper(order.note)=="INK" AND order.total == 7');
    expect(explainExpression(compiled.checked, contextOf(values)).parts[0]).toEqual({
      text: 'UPPER(order.note) == "INK"',
      values: { 'order.note': 'ink' },
      result: true,
    });
    const index = new TopicIndex<string>();
    index.add('both', compiled);
    index.add('one', compileOrder('UPPER(order.note) == "INK"'));
    index.add('none', compileOrder('UPPER(order.note) != "INK"'));
    expect(index.match(contextOf(values)).sort()).toEqual(['both', 'one']);

    const service = createLanguageService(model, ['order']);
    expect(service.format('join( order.note,"a" )=="b"')).toBe('JOIN(order.note, "a") == "b"');
    expect(service.hover('UPPER(order.note) == "A"', 2)?.signature).toBe('UPPER(text): text');
    expect(service.complete('UP', 2).items).toEqual([{ kind: 'function', text: 'UPPER(', detail: 'text' }]);
    expect(service.complete('JOIN(order.no', 13).items.map(({ text }) => text)).toEqual(['note']);
    expect(service.complete('JOIN(order.note, order.ta', 25).items.map(({ text }) => text)).toEqual(['tags']);
    expect(service.complete('YEAR(order.due ', 15).items.map(({ text }) => text)).toEqual(['+', '-']);
    expect(service.complete('UPPER(order.note) ', 18).items.map(({ text }) => text)).toContain('==');
    expect(service.tokens('UPPER(order.note)')[0]).toEqual({ class: 'function', offset: 0, length: 5 });
  });

  it('must be in the model that checks the expression', () => {
    const expression = parseExpression('UPPER(order.note) == "A"', model);
    const others: ObjectModel = { ...model, functions: [] };
    expect(() => compile('UPPER(order.note) == "A"', others, ['order'])).toThrow(DatapathError);
    expect(() => checkExpression(expression, others, ['order'])).toThrow(ModelError);
    expect(expression.condition).toMatchObject({ left: { kind: 'call', name: 'UPPER', length: 17 } });
  });

  it('is checked by checkModel', () => {
    expect(() => checkModel(model, ['order'])).not.toThrow();
    const broken = [
      { name: 'Upper', parameters: [], result: 'text', call: () => '' },
      { name: 'DATE', parameters: ['string'], result: 'text', call: () => '' },
      { name: 'DATE', parameters: [], result: 'text', call: () => '' },
    ] as unknown as HostFunction[];
    try {
      checkModel({ ...model, functions: broken }, ['order']);
      throw new Error('the model is right');
    } catch (error) {
      expect(error instanceof ModelError && error.problems).toEqual([
        'the name of the function "Upper" must be capital letters, digits and "_"',
        'the function DATE has the name of a keyword',
        'DATE() has the unknown type "string"; expected one of integer, decimal, text, rich_text, boolean, date, datetime',
        'the function DATE has the name of a keyword',
        'there are two functions DATE',
      ]);
    }
  });
});
