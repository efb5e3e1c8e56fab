// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undocumented } from './api-reports.mjs';

test('the check of API reports finds exports and members without a docstring', () => {
  const report = `
// @public
export class Cart {
    // (undocumented)
    add(item: string): void;
    readonly size: number;
}

// @public (undocumented)
export const emptyCart: Cart;

// @public
export interface Item {
    // (undocumented)
    readonly price: number;
}
`;
  assert.deepEqual(undocumented(report, '@shop/cart'), [
    '@shop/cart: no docstring: Cart: add',
    '@shop/cart: no docstring: const emptyCart: Cart;',
    '@shop/cart: no docstring: Item: readonly price: number;',
  ]);
});
