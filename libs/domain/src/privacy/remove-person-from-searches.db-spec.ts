// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import { anonymiseCandidate } from './anonymise.js';
import { candidates } from '../objects/user.model.js';
import { entitySchemas } from '../writing/entities.js';
import { insertObject } from '../writing/write-object.js';
import { removePersonFromSearches } from './remove-person-from-searches.js';
import { configSearches, savedSearches } from '../objects/search-definition.model.js';

const own = useTestDatabase({ entities: entitySchemas() });
let candidateId: number;

beforeAll(async () => {
  await own.database.query(
    `INSERT INTO users (id, type, firstname, lastname, email)
     VALUES (900, 'recruiter', 'Rita', 'Recruiter', 'r@example.com')`,
  );
});

interface Texts {
  readonly resource: string;
  readonly search?: readonly string[];
  readonly filter?: string;
  readonly where?: string;
}

/**
 * Stores a search. Then anonymises Quillonia Smith, but not another person who is also named Smith.
 * @returns the stored search after the anonymisation
 */
async function leftOf(texts: Texts, source = savedSearches): Promise<Texts & { readonly isTouched: boolean }> {
  return own.database.transaction(async (transaction) => {
    candidateId = await insertObject(transaction, candidates, {
      firstname: 'Quillonia',
      lastname: 'Smith',
      email: `q.smith@example.com`,
      current_title: 'Baker',
      tags: ['java'],
      Email: [{ Label: 'work', Address: 'quillonia@work.example' }],
      Address: [{ Label: 'home', AddressLine: '1 Zorben Street, Flat {2}', City: 'Plimstadt' }],
      Phone: [{ Label: 'home', Number: '+1 202 5550199' }],
    });
    await insertObject(transaction, candidates, {
      firstname: 'Anna',
      lastname: 'Smith',
      email: 'a.smith@example.com',
      current_title: 'Quilter',
    });
    const id = await insertObject(
      transaction,
      source,
      { name: 'Search', ...texts },
      source === savedSearches ? { owner_id: 900 } : {},
    );
    await anonymiseCandidate(transaction, candidateId, { recruiterId: 900, baseUrl: 'https://ats.example.com' });
    const rows = await transaction.query<(Texts & { isTouched: boolean })[]>(
      `SELECT resource, search, filter, where_expression AS "where", updated_dt > created_dt AS "isTouched"
       FROM ${source.name} WHERE id = $1`,
      [id],
    );
    await transaction.query(
      'DELETE FROM history_entries; DELETE FROM candidate_emails; DELETE FROM users WHERE id <> 900',
    );
    return rows[0] ?? { resource: 'none', isTouched: false };
  });
}

describe('in the stored searches, after a candidate is anonymised,', () => {
  it.each([
    // Each of these conditions has a value that finds only this person.
    ['candidates', '/firstname=Quillonia', '/firstname=anonymised'],
    ['candidates', '/email=q.smith@example.com', '/email=anonymised'],
    ['users', 'fullname=Quillonia Smith', 'fullname=anonymised'],
    ['applications', 'user.firstname!=Quillonia', 'user.firstname!=anonymised'],
    [
      'applications',
      'application.candidate.Email.Address=~QUILLONIA@',
      'application.candidate.Email.Address=~anonymised',
    ],
    ['event_applications', '/user/email!~q.smith', '/user/email!~anonymised'],
    ['candidates', '/Phone/[home]/Number=+1 202 5550199', '/Phone/[home]/Number=anonymised'],
    ['candidates', '/email={a.smith@example.com,q.smith@example.com,}', '/email={a.smith@example.com,anonymised,}'],
    ['communications', '/subject=~quillonia', '/subject=~anonymised'],
    ['communications', '/body!~Quillonia Smith', '/body!~anonymised'],
    [
      'candidates',
      '/Address/*/AddressLine={1 Zorben Street\\, Flat \\{2\\},x}',
      '/Address/*/AddressLine={anonymised,x}',
    ],
  ])('of %s, the condition %s becomes %s', async (resource, search, left) => {
    expect(await leftOf({ resource, search: ['id>1', search] })).toMatchObject({
      search: ['id>1', left],
      isTouched: true,
    });
  });

  it.each([
    [
      'candidates',
      'candidate.email == "q.smith@example.com" OR candidate.lastname == "Smith"',
      'candidate.email == "anonymised" OR candidate.lastname == "Smith"',
    ],
    [
      'applications',
      "NOT (application.user.firstname IN {'Quillonia', 'Anna'})",
      `NOT (application.user.firstname IN {"anonymised", 'Anna'})`,
    ],
  ])('of %s, the expression %s becomes %s', async (resource, where, left) => {
    expect(await leftOf({ resource, where })).toMatchObject({ where: left, isTouched: true });
  });

  it('an expression without a value of this person alone stays', async () => {
    const where = 'candidate.lastname == "Smith" OR candidate.current_title == "Baker" OR candidate.firstname == ""';
    expect(await leftOf({ resource: 'candidates', where })).toMatchObject({ where, isTouched: false });
  });

  it.each([
    // The values of these conditions also find other people, or name no person, or are not identifying.
    ['candidates', '/lastname=Smith'],
    ['candidates', '/lastname=~SMI'],
    ['candidates', '/firstname='],
    ['candidates', '/firstname=Nobody'],
    ['candidates', '/current_title=Baker'],
    ['candidates', '/Address/*/City=Plimstadt'],
    ['candidates', '/tags=java'],
    ['vacancies', 'title=~quillonia'],
    ['communications', '/body=~Smith'],
    ['communications', '/subject=~interview'],
    ['communications', '/type=note'],
    ['communications', 'application.outcome=hired'],
  ])(
    'of %s, the condition %s stays, because its value finds others or identifies no person',
    async (resource, search) => {
      expect(await leftOf({ resource, search: [search] })).toMatchObject({ search: [search], isTouched: false });
    },
  );

  it.each([
    ['candidates', 'quillonia s', 'quillonia s'],
    ['candidates', 'QUILLONIA', 'anonymised'],
    ['applications', 'q.smith@', 'anonymised'],
    ['applications', 'smith', 'smith'],
    ['communications', 'quillonia smith', 'anonymised'],
    ['communications', 'q.smith', 'anonymised'],
    ['communications', 'smith', 'smith'],
    ['communications', 'interview', 'interview'],
    ['candidates', 'quil', 'quil'],
    ['candidates', 'baker', 'baker'],
    ['vacancies', 'quillonia', 'quillonia'],
  ])('of %s, the filter %s becomes %s', async (resource, filter, left) => {
    expect(await leftOf({ resource, filter })).toMatchObject({ filter: left, isTouched: filter !== left });
  });

  it('values that identify the person are removed from configured searches too', async () => {
    expect(
      await leftOf({ resource: 'candidates', search: ['firstname=Quillonia'], filter: 'q.smith' }, configSearches),
    ).toMatchObject({
      search: ['firstname=anonymised'],
      filter: 'anonymised',
    });
  });

  it('conditions that are no longer valid are kept', async () => {
    const kept = await leftOf({ resource: 'candidates', search: ['nickname=Quillonia'], filter: '' });
    expect(kept).toMatchObject({ search: ['nickname=Quillonia'], filter: '' });
  });

  it('the number of statements does not grow with the number of values', async () => {
    const names = (count: number): readonly string[] =>
      Array.from({ length: 4 }, (_, part) => {
        const values = Array.from({ length: count }, (_, index) => `Name${part}-${index}`);
        return `lastname!={${values.join(',')}}`;
      });
    const statementsWith = (search: readonly string[]): Promise<number> =>
      own.database.transaction(async (transaction) => {
        const properties = { name: 'Many', resource: 'candidates', search };
        for (let copy = 0; copy < 3; copy++) await insertObject(transaction, configSearches, properties);
        const id = await insertObject(transaction, candidates, {
          firstname: 'Wenceslas',
          lastname: 'Quince',
          email: 'w@example.com',
        });
        const query = jest.spyOn(transaction, 'query');
        expect(await removePersonFromSearches(transaction, id)).toBe(0);
        const { length } = query.mock.calls;
        await transaction.query('DELETE FROM config_searches; DELETE FROM users WHERE id <> 900');
        return length;
      });
    expect(await statementsWith(names(1_000))).toBe(await statementsWith(names(1)));
    expect(await statementsWith(names(1_000))).toBeLessThan(10);
  });
});
