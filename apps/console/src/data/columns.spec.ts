import { expect, it } from '@jest/globals';
import { columnsOf, usualColumns } from './columns.js';

it('the columns of a table distinguish a list from a single value of the same name', () => {
  const columns = columnsOf({
    properties: {
      id: { type: 'integer' },
      url: { type: 'string', format: 'uri' },
      email: { type: 'string' },
      Email: { type: 'array' },
      tags: { type: 'array' },
      api_versions: { type: 'array' },
      item_ids: { type: 'array' },
      destination_url: { type: 'string' },
    },
  });
  expect(columns.map(({ label }) => label).join(', ')).toBe(
    'ID, URL, Email, Email (list), Tags, API versions, Item IDs, Destination URL',
  );
});

it('the usual columns of certificates show the end of validity, but no PEM text and no digest', () => {
  const properties = ['id', 'uuid', 'name', 'certificate', 'subject', 'fingerprint', 'valid_to_dt'].map(
    (name) => [name, { type: 'string' }] as const,
  );
  const columns = columnsOf({ properties: Object.fromEntries(properties) });
  expect(usualColumns(columns)).toEqual(['id', 'name', 'subject', 'valid_to_dt']);
});
