import { readCollectionQuery } from '@ats/search-query';
import { runStatement } from '@ats/postgres';
import { beforeAll, expect, test } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import '../objects/object-model.js';
import { getResource } from '../vocabulary/resource.js';
import { collectionStatements } from './collection-statement.js';
import { searchSubject } from './search-subject.js';

const own = useTestDatabase();

beforeAll(async () => {
  // The table needs many rows. With few rows every index costs the same.
  await own.database.query(
    `INSERT INTO users (type, firstname, lastname, email)
     SELECT 'candidate', 'Ada', 'Byron', 'Ada.' || number || '@Example.org' FROM generate_series(1, 2000) AS number`,
  );
  await own.database.query('ANALYZE users');
});

/** Returns PostgreSQL's plan for a search, made while sequential scans are off. */
async function planOf(name: string, search: string): Promise<string> {
  const resource = getResource(name);
  const query = readCollectionQuery(searchSubject(resource.type), { sort: [], search: [search] });
  if (query.violations) throw new Error(JSON.stringify(query.violations));
  const keys = collectionStatements(resource, { baseUrl: '', language: 'en' }).keys({ query, limit: 10 });
  return own.database.transaction(async (transaction) => {
    await runStatement(transaction, 'SET LOCAL enable_seqscan = off');
    const rows = await runStatement<{ 'QUERY PLAN': string }>(transaction, `EXPLAIN ${keys.text}`, keys.parameters);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

test.each([
  ['candidates', '/email=Mixed.Case@Example.org', 'uq_users_email'],
  ['candidates', '/email={A@Example.org,B@Example.org}', 'uq_users_email'],
  ['candidates', '/Email/*/Address=Mixed.Case@Example.org', 'ix_candidate_emails_address'],
  ['applications', '/user/email=Mixed.Case@Example.org', 'uq_users_email'],
])('a search of %s by %s looks the address up in an index', async (name, search, index) => {
  const plan = await planOf(name, search);
  expect(plan).toMatch(new RegExp(`Index (Only )?Scan.* on ${index}|Index (Only )?Scan using ${index}`));
  expect(plan).toMatch(/Index Cond: .*lower\(/);
});
