import { expect, it } from '@jest/globals';
import { columnsOf } from './columns.js';

it('the columns of a table distinguish a list from a single value of the same name', () => {
  const columns = columnsOf({
    properties: {
      id: { type: 'integer' },
      url: { type: 'string', format: 'uri' },
      email: { type: 'string' },
      Email: { type: 'array' },
      tags: { type: 'array' },
      api_versions: { type: 'array' },
    },
  });
  expect(columns.map(({ label }) => label)).toEqual(['ID', 'URL', 'Email', 'Email (list)', 'Tags', 'API versions']);
});
