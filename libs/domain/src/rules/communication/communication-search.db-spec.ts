import { readCollectionQuery } from '@ats/search-query';
import { expect, test } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { runStatement } from '@ats/postgres';
import { collectionStatements } from '../../reading/collection-statement.js';
import { searchSubject } from '../../reading/search-subject.js';
import { communication, communications } from '../../objects/communication.model.js';

const own = useTestDatabase();

/** Returns PostgreSQL's plan for a search, made while sequential and ordered index scans are off. */
async function planOf(parameters: { readonly search: readonly string[]; readonly filter?: string }): Promise<string> {
  const query = readCollectionQuery(searchSubject(communication), { sort: [], ...parameters });
  if (query.violations) throw new Error(JSON.stringify(query.violations));
  const keys = collectionStatements(communications, { baseUrl: '', language: 'en' }).keys({ query, limit: 10 });
  return own.database.transaction(async (transaction) => {
    for (const way of ['seqscan', 'indexscan', 'indexonlyscan'])
      await runStatement(transaction, `SET LOCAL enable_${way} = off`);
    const rows = await runStatement<{ 'QUERY PLAN': string }>(transaction, `EXPLAIN ${keys.text}`, keys.parameters);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

test.each([
  ['a part of the body', { search: ['/body=~Straße'] }, 'ix_communications_body_trigrams'],
  ['a part of the subject', { search: ['/subject=~Σίσυφος'] }, 'ix_communications_subject_trigrams'],
  ['a filter text', { search: [], filter: 'Straße' }, 'ix_communications_search_text'],
])('a search for messages by %s uses an index', async (_, parameters, index) => {
  expect(await planOf(parameters)).toContain(`Bitmap Index Scan on ${index}`);
});
