import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { customers, model, orders } from '../../../test/orders.js';
import { type SearchSubject } from '../model/search-model.js';
import { readSearchCondition } from './search-condition.js';

/** A model in which the name of a customer is one of the given values. */
const customersNamed = (values: readonly string[]): SearchSubject => ({
  ...customers,
  model: { ...model, closedValues: ({ owner, name }) => (`${owner}.${name}` === 'customer.name' ? values : undefined) },
});

/** Returns the values that the violation suggests. Undefined when the condition is accepted. */
function suggested(subject: SearchSubject, text: string): readonly string[] | undefined {
  const condition = readSearchCondition(subject, text);
  if (!('violations' in condition)) return undefined;
  const values = condition.violations[0].hint?.values.at(-1);
  return Array.isArray(values) ? (values as readonly string[]) : [];
}

const word = fc.stringMatching(/^[a-z_]{1,12}$/);
const values = fc.uniqueArray(word, { minLength: 1, maxLength: 40 });
const escaped = (text: string): string => text.replaceAll(/[\\{},]/g, '\\$&');

describe('a key with a closed list', () => {
  it('accepts exactly the values of the list, and suggests values of the list', () => {
    fc.assert(
      fc.property(
        values.chain((list) => fc.tuple(fc.constant(list), fc.oneof(fc.constantFrom(...list), word, fc.string()))),
        fc.constantFrom('=', '!='),
        ([list, value], operator) => {
          fc.pre(value !== '' && !/\p{Surrogate}/u.test(value) && !value.includes('\0') && !value.includes('\ufffd'));
          const offered = suggested(customersNamed(list), `name${operator}{${escaped(value)}}`);
          if (list.includes(value)) return offered === undefined;
          return offered !== undefined && offered.length > 0 && offered.every((one) => list.includes(one));
        },
      ),
    );
  });

  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  it('offers all values of a short list, and the nearest values of a long list', () => {
    expect(suggested(customersNamed(letters.slice(0, 20)), 'name=ab')).toEqual(letters.slice(0, 20));
    const many = [...letters, 'interview', 'preview', 'in_review'];
    expect(suggested(customersNamed(many), 'name=review')).toEqual(['preview', 'in_review', 'interview']);
  });

  it.each(['name=', 'name={a,}', 'name=~x', 'name!~x', 'name<x', 'name>=x'])('accepts %s', (text) => {
    expect(suggested(customersNamed(['a']), text)).toBeUndefined();
  });

  it('accepts a second equals sign in a stored search only', () => {
    expect(suggested(customers, 'name==x')).toEqual([]);
    expect(suggested({ ...customers, isStored: true }, 'name==x')).toBeUndefined();
  });

  it('accepts every value when the model has no lists', () => {
    expect(suggested(customers, 'name=x')).toBeUndefined();
  });
});

describe('a computed date', () => {
  const clock = { now: new Date('2026-11-21T09:30:00Z'), timeZone: 'Pacific/Auckland' };
  const operandOf = (text: string, subject: SearchSubject = { ...orders, clock }): unknown => {
    const condition = readSearchCondition(subject, text);
    return 'violations' in condition
      ? condition.violations.map(({ code, offset, length }) => `${code} ${String(offset)}+${String(length)}`)
      : condition.operand.values;
  };
  const day = (start: string): { from: number; to: number } => ({
    from: Date.parse(start),
    to: Date.parse(start) + 86_400_000,
  });

  it.each([
    ['due=DATE("today")', ['2026-11-21']],
    ['due>=DATE("today") - DTDURATION(7,0,0,0)', ['2026-11-14']],
    ['due>date("today")+dtduration(1,0,0,0)', ['2026-11-22']],
    ['due=DATE("now") + DTDURATION(0,3,0,0)', ['2026-11-22']],
    [
      'due={DATE("today"),DATE("today") - DTDURATION(1\\,0\\,0\\,0),2026-01-01}',
      ['2026-11-21', '2026-11-20', '2026-01-01'],
    ],
    ['created_dt>=DATE("today")', [day('2026-11-20T11:00:00Z')]],
    ['created_dt=DATE("2026-11-21")', [day('2026-11-20T11:00:00Z')]],
    ['created_dt=2026-11-21', [day('2026-11-21T00:00:00Z')]],
    ['created_dt<DATE("now")', [{ from: clock.now.getTime(), to: clock.now.getTime() + 1 }]],
    // A plus sign that the client has not escaped arrives as a blank.
    ['created_dt=2026-11-20T13:00:00.000 02:00', [{ from: 1795172400000, to: 1795172400001 }]],
    ['created_dt=2026-11-20 13:00 0200', [{ from: 1795172400000, to: 1795172400001 }]],
    ['created_dt=20261120t130000 02', [{ from: 1795172400000, to: 1795172400001 }]],
    ['due=DATE("today")   DTDURATION(1,0,0,0)', ['2026-11-22']],
    ['created_dt=DATE("2026-11-20T13:00:00 02:00")', [{ from: 1795172400000, to: 1795172400001 }]],
  ])('is read in %s', (text, values) => {
    expect(operandOf(text)).toEqual(values);
  });

  it.each([
    ['due=DATE("yesterday")', ['invalid_value 4+17']],
    ['due=DATE("today") - order.id', ['invalid_value 4+24']],
    ['created_dt=2026-11-20 13:00', ['invalid_value 11+16']],
    ['due={DATE("today",DATE("now")}', ['invalid_value 5+12']],
    ['due=DTDURATION(1,0,0,0)', ['invalid_value 4+19']],
    ['note=DATE("today")', ['DATE("today")']],
    ['due=~DATE("today")', ['DATE("today")']],
  ])('is rejected in %s', (text, result) => {
    expect(operandOf(text)).toEqual(result);
  });

  it('is rejected without a clock', () => {
    expect(operandOf('due=DATE("today")', orders)).toEqual(['invalid_value 4+13']);
  });
});
