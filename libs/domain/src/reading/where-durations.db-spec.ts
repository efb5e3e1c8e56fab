import { readCollectionQuery } from '@ats/search-query';
import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import { applications } from '../objects/application.model.js';
import { collectionStatements } from './collection-statement.js';
import { searchSubject } from './search-subject.js';

const own = useTestDatabase();
const clock = { now: new Date('2026-07-09T09:00:00Z'), timeZone: 'Europe/Berlin' };

/**
 * Returns the number of characters in the query plan of an expression. The plan shows each computation as often as
 * PostgreSQL does it.
 */
async function lengthOfPlan(where: string): Promise<number> {
  const query = readCollectionQuery({ ...searchSubject(applications.type), clock }, { where });
  if (query.violations) throw new Error(`${where} has violations`);
  const statements = collectionStatements(applications, { baseUrl: 'https://ats.example.com', language: 'en' });
  const { text, parameters } = statements.count({ query });
  const rows = await own.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN VERBOSE ${text}`, parameters);
  return rows.reduce((sum, row) => sum + row['QUERY PLAN'].length, 0);
}

it.each([
  ['a sum of days', (days: string) => `application.created_dt${days} > DATE("now")`],
  ['the day of a sum', (days: string) => `application.created_dt${days} == application.opportunity.closing_date`],
])('%s computes each sum once', async (_, expressionOf) => {
  const one = await lengthOfPlan(expressionOf(' + DTDURATION(1,2,0,0)'));
  const six = await lengthOfPlan(expressionOf(' + DTDURATION(1,2,0,0)'.repeat(6)));
  expect(six).toBeLessThan(6 * one);
});
