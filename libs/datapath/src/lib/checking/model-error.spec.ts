import { describe, expect, it } from '@jest/globals';
import { parseExpression } from '../syntax/parser.js';
import { checkExpression } from './check.js';
import { checkModel, ModelError } from './model-error.js';
import { type ObjectModel, type ObjectShape } from './model.js';

const modelOf = (types: Readonly<Record<string, unknown>>): ObjectModel => ({
  type: (name) => (Object.hasOwn(types, name) ? (types[name] as ObjectShape) : undefined),
});

const customer = { name: 'customer', attributes: { id: { type: 'integer' } }, relations: {} };
const order = {
  name: 'order',
  attributes: { id: { type: 'integer' } },
  relations: { customer: { target: 'customer' }, parent: { target: 'order' } },
};

function problemsOf(types: Readonly<Record<string, unknown>>, roots: readonly string[]): readonly string[] {
  try {
    checkModel(modelOf(types), roots);
    return [];
  } catch (error) {
    if (error instanceof ModelError) return error.problems;
    throw error;
  }
}

describe('checkModel', () => {
  it('accepts a model whose relations form a circle', () => {
    expect(problemsOf({ order, customer }, ['order'])).toEqual([]);
  });

  it('reports all mistakes together, and each once', () => {
    const wrong = {
      order: { ...order, relations: { ...order.relations, lines: { target: 'line' } } },
      line: { name: 'row', attributes: { price: { type: 'money' } } },
    };
    expect(problemsOf(wrong, ['order', 'invoice'])).toEqual([
      'order.customer links to "customer", which is no object type of the model',
      'the root "invoice" is no object type of the model',
      'the object type "line" is called "row"',
      'line has no relations; write {} when it has none',
      'line.price has the unknown type "money"; ' +
        'expected one of integer, decimal, text, rich_text, boolean, date, datetime',
    ]);
  });
});

describe('a mistake of the object model is a ModelError, not a violation of the text', () => {
  const check = (types: Readonly<Record<string, unknown>>, text: string) => () =>
    checkExpression(parseExpression(text), modelOf(types), ['order']);

  it.each([
    ['order.customer.id == 1', { order }],
    ['order.price == 1', { order: { ...order, attributes: { price: { type: 'money' } } } }],
    ['order.customer.id == 1', { order: { name: 'order', attributes: {} } }],
    ['order.id == 1', { order: { name: 'order', relations: {} } }],
  ])('%s', (text, types) => {
    expect(check(types, text)).toThrow(ModelError);
  });
});
