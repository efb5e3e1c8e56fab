import { beforeAll, describe, expect, it } from '@jest/globals';
import { readCollectionQuery } from '@ats/search-query';
import { useTestDatabase } from '../../test/test-database.js';
import { candidates } from '../objects/user.model.js';
import { searchSubject } from '../reading/search-subject.js';
import { findQuery, keepQuery } from '../rules/stored-query/stored-query.js';
import { findResource } from '../vocabulary/resource.js';
import { entitySchemas } from '../writing/entities.js';
import { insertObject } from '../writing/write-object.js';
import { anonymiseCandidate } from './anonymise.js';

const own = useTestDatabase({ entities: entitySchemas() });

beforeAll(async () => {
  await own.database.query(
    `INSERT INTO users (id, type, firstname, lastname, email)
     VALUES (900, 'recruiter', 'Rita', 'Recruiter', 'r@example.com')`,
  );
});

interface Query {
  readonly resource?: string;
  readonly search?: readonly string[];
  readonly filter?: string;
}

/**
 * Stores a query and anonymises Quillonia Smith.
 * @returns true when the query still exists
 */
async function isKept({ resource = 'candidates', search = [], filter }: Query): Promise<boolean> {
  const type = findResource(resource)?.type;
  const query = type && readCollectionQuery(searchSubject(type), { search, filter, sort: [] });
  if (!query || query.violations) throw new Error('the test has an invalid query');
  const key = { handle: 'h'.repeat(32), collection: resource };
  const pairs = search.map((text) => ['search', text] as const);
  await keepQuery(own.database, { ...key, pairs, credentialId: 1, condition: query.condition });
  await own.database.transaction(async (transaction) => {
    const id = await insertObject(transaction, candidates, {
      firstname: 'Quillonia',
      lastname: 'Smith',
      email: 'q.smith@example.com',
      current_title: 'Baker',
      Address: [{ Label: 'home', AddressLine: '1 Zorben Street, Flat {2}', City: 'Plimstadt' }],
      Phone: [{ Label: 'home', Number: '+1 202 5550199' }],
    });
    await anonymiseCandidate(transaction, id, { recruiterId: 900, baseUrl: 'https://ats.example.com' });
  });
  const kept = await findQuery(own.database, key);
  await own.database.query('DELETE FROM stored_queries');
  return kept !== undefined;
}

const OTHERS = Array.from({ length: 500 }, (_, index) => `person${index}@example.org`).join(',');

describe('anonymising a person', () => {
  it.each<Query>([
    { search: ['/email=q.smith@example.com'] },
    { search: ['/email=Q.Smith@Example.com'] },
    { search: [`/email={${OTHERS},q.smith@example.com}`] },
    { search: ['/lastname!={Miller,Smith}'] },
    { search: ['/email=~q.smith@'] },
    { search: ['/Phone/[home]/Number=~5550199'] },
    { search: ['/Address/*/AddressLine={1 Zorben Street\\, Flat \\{2\\}}'] },
    { search: ['/lastname>=Smith'] },
    { filter: 'uilloni' },
    { filter: 'Quillonia Smith' },
    { resource: 'applications', search: ['user.lastname=Smith'] },
    { resource: 'users', search: ['/status=active', '/email=q.smith@example.com'] },
    { resource: 'communications', search: ['/body=~Dear Quillonia'] },
  ])('deletes the stored query %j', async (query) => {
    expect(await isKept(query)).toBe(false);
  });

  it.each<Query>([
    { search: [`/email={${OTHERS}}`] },
    { search: ['/id={1,2,3}', '/status=active'] },
    { search: ['/current_title=Butcher'] },
    { search: ['/lastname=~Mill'] },
    { filter: 'Miller' },
    { resource: 'vacancies', search: ['/title=~Smith'] },
  ])('keeps the stored query %j', async (query) => {
    expect(await isKept(query)).toBe(true);
  });
});
