import { expect, test } from '@jest/globals';
import { valuesOf } from './values-of.js';

const order = {
  total: 30,
  customer: { name: 'Ada', note: null },
  lines: [{ text: 'ink', tags: ['a', 'b'] }, null, { text: null, tags: [] }],
  prices: { EUR: 8.5 },
};
const valueOf = valuesOf({ order, shop: { name: 'Corner' } });

test.each([
  ['order.total', 30],
  ['order.customer.name', 'Ada'],
  ['order.customer.note', null],
  ['order.customer.missing', undefined],
  ['order.missing.name', undefined],
  ['order.total.name', undefined],
  ['order.lines.text', ['ink', null]],
  ['order.lines.tags', ['a', 'b']],
  ['order.prices.EUR', 8.5],
  ['shop.name', 'Corner'],
  ['absent.name', undefined],
])('valuesOf() reads %s', (datapath, value) => {
  expect(valueOf(datapath)).toEqual(value);
});
