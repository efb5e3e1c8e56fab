import { describe, expect, test } from '@jest/globals';
import { objectModel } from './object-model.js';

/** Types whose SQL reads a constant of the statement. */
const CONSTANT = ['api_versions'];

describe('a computed attribute', () => {
  test('states that its SQL reads other rows, so that layouts weigh it and compute it once', () => {
    const types = objectModel.types.filter(({ name }) => !CONSTANT.includes(name));
    const unmarked = types.flatMap(({ name, attributes }) =>
      Object.entries(attributes)
        .filter(([, { sql, readsOtherRows }]) => /\bSELECT\b/i.test(sql('t', {})) && readsOtherRows !== true)
        .map(([attribute]) => `${name}.${attribute}`),
    );
    expect(unmarked).toEqual([]);
  });
});
