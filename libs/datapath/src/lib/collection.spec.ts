import { describe, expect, it } from '@jest/globals';
import {
  checkExpression,
  checkModel,
  compile,
  completeKey,
  createLanguageService,
  DatapathError,
  formatViolation,
  type IndexedCollection,
  type LanguageModel,
  ModelError,
  parseExpression,
} from '../index.js';

/** A collection with all defaults: `order.prices.<currency>`, and `order.prices.<currency>:<tier>`. */
const prices: IndexedCollection = { name: 'prices', key: [{ name: 'currency' }, { name: 'tier', absent: 'retail' }] };
const types = {
  order: {
    name: 'order',
    attributes: { id: { type: 'integer' } },
    relations: { customer: { target: 'customer' } },
    collections: ['prices'],
  },
  customer: { name: 'customer', attributes: { id: { type: 'integer' } }, relations: {} },
} as const;
const model: LanguageModel = {
  collections: [prices],
  type: (name) => (name === 'order' || name === 'customer' ? types[name] : undefined),
  keyedValue: (_type, { parts: [currency] }) => (currency === 'EUR' ? { type: 'decimal' } : undefined),
  keys: () => [{ key: 'EUR', label: 'Euro' }],
};
const compileOrder = (text: string) => compile(text, model, ['order']);

function violationOf(text: string): string {
  try {
    compileOrder(text);
  } catch (error) {
    if (error instanceof DatapathError)
      return `${error.code} ${formatViolation(error.violations[0]).split('\n')[0] ?? ''}`;
    throw error;
  }
  return 'none';
}

describe('a collection that the host adds', () => {
  it('has the value that the context returns for the key, as the text states it', () => {
    const compiled = compileOrder('order.prices.EUR > 5 AND order.prices.EUR:trade < 5');
    expect(compiled.datapaths).toEqual(['order.prices.EUR', 'order.prices.EUR:trade']);
    const values = new Map([
      ['order.prices.EUR', 9],
      ['order.prices.EUR:trade', 4],
    ]);
    expect(compiled.test({ valueOf: (path) => values.get(path), now: new Date(0), timeZone: 'UTC' })).toBe(true);
  });

  it('has default values for the parts of a key that were left out', () => {
    expect(completeKey(model, { collection: 'prices', parts: ['EUR'] })).toEqual(['EUR', 'retail']);
    expect(completeKey(model, { collection: 'prices', parts: ['EUR', 'trade'] })).toEqual(['EUR', 'trade']);
  });

  it.each([
    ['order.prices.USD > 5', 'unknown_key 1:14: order.prices has no key "USD"'],
    ['order.customer.prices.EUR > 5', 'no_collection 1:16: customer has no collection "prices"'],
    ['order.prices > 5', 'unknown_name 1:7: order has no attribute or relation "prices"; write "prices.<currency>"'],
    ['order.prices. > 5', 'invalid_path 1:14: expected a key of prices but found U+0020'],
    ['order.prices.', 'invalid_path 1:14: expected a key of prices but found end of text'],
    ['order.prices.EUR: > 5', 'invalid_path 1:18: expected a name but found U+0020'],
    ['order.prices.EUR.id > 5', 'invalid_path 1:17: expected the end of the datapath after the key but found "."'],
  ])('rejects %s', (text, violation) => {
    expect(violationOf(text)).toBe(violation);
  });

  it('is suggested by editors, with its keys', () => {
    const service = createLanguageService(model, ['order']);
    expect(service.complete('order.pri', 9).items).toMatchObject([{ text: 'prices' }]);
    expect(service.complete('order.prices.', 13).items).toEqual([
      { kind: 'key', text: 'EUR', detail: 'decimal', label: 'Euro' },
    ]);
    expect(service.hover('order.prices.EUR:trade > 5', 14)?.signature).toBe('order.prices.EUR:trade: decimal');
  });
});

describe('a model with a mistake in its collections', () => {
  it('is rejected when a type has a collection that the model does not describe', () => {
    expect(() => {
      checkModel({ ...model, collections: [] }, ['order']);
    }).toThrow('order has the collection "prices", which the model does not describe');
  });

  it('is rejected when a relation has the name of a collection', () => {
    expect(() => {
      checkModel({ ...model, collections: [prices, { name: 'customer', key: [{ name: 'id' }] }] }, ['order']);
    }).toThrow('order.customer is a relation with the name of a collection');
  });

  it('is a ModelError when the text was parsed with other collections', () => {
    const expression = parseExpression('order.prices.EUR > 5', model);
    expect(() => checkExpression(expression, { ...model, collections: [] }, ['order'])).toThrow(ModelError);
  });
});
