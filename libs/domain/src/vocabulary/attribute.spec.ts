import { describe, expect, it } from '@jest/globals';
import { date, datetime, decimal, integer } from './attribute.js';

describe('the schema of an attribute', () => {
  it.each([
    ['a moment', datetime(), '+275000-01-01T00:00:00Z'],
    ['a moment', datetime(), '0000-01-01T00:00:00+01:00'],
    ['a date', date(), '0000-13-01'],
    ['a date', date(), '0000-01-01'],
    ['a whole number', integer({ minimum: 1 }), 2 ** 53],
    ['a whole number', integer({ minimum: 1, maximum: 5 }), 5.5],
    ['a whole number', integer({ minimum: 1, maximum: 5 }), -1e300],
    ['a number', decimal({ minimum: -1, maximum: 1 }), 1.001],
  ])('reports one violation for one invalid value of %s', (_, attribute, value) => {
    expect(attribute('value').schema.safeParse(value).error?.issues).toHaveLength(1);
  });
});
