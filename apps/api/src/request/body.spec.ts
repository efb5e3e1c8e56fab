import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkBody } from './body.js';

const schema = z.strictObject({
  name: z.string(),
  columns: z.array(z.strictObject({ datapath: z.string() })).optional(),
});

describe('checkBody', () => {
  test('suggests a similar name for each unknown property, also in lists', () => {
    const { violations = [] } = checkBody(schema, { name: 'a', nmae: 'a', zzz: 1, columns: [{ datpath: 'b' }] });
    expect(violations.map(({ path, info }) => [path, String(info)])).toEqual([
      ['/columns/0/datapath', 'undefined'],
      ['/columns/0/datpath', 'unknown property; did you mean "datapath"?'],
      ['/nmae', 'unknown property; did you mean "name"?'],
      ['/zzz', 'unknown property'],
    ]);
  });
});
