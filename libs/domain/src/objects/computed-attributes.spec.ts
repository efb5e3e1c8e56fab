import { describe, expect, test } from '@jest/globals';
import { objectModel } from './object-model.js';

/** Object types that the spec skips, because the SQL of their attributes reads no table. */
const CONSTANT = ['api_versions'];

describe('a computed attribute', () => {
  test('has the mark `readsOtherRows` when its SQL reads other rows, so that layouts compute it once', () => {
    const types = objectModel.types.filter(({ name }) => !CONSTANT.includes(name));
    const unmarked = types.flatMap(({ name, attributes }) =>
      Object.entries(attributes)
        .filter(([, { sql, readsOtherRows }]) => /\bSELECT\b/i.test(sql('t', {})) && readsOtherRows !== true)
        .map(([attribute]) => `${name}.${attribute}`),
    );
    expect(unmarked).toEqual([]);
  });

  test('reads the table of its own type only by the alias, because the statement of an update reads it, too', () => {
    const reading = objectModel.types.flatMap(({ name, table, attributes }) =>
      Object.entries(attributes)
        .filter(([, { sql, shown }]) => shown && new RegExp(`\\b(FROM|JOIN) ${table}\\b`).test(sql('t', {})))
        .map(([attribute]) => `${name}.${attribute}`),
    );
    expect(reading).toEqual([]);
  });
});
