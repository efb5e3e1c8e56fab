import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { find, makeApplications, makeCandidates } from './search-world.js';

const { api, make } = useApi();
/** Maps the names in the tables of cases to the objects of the tests. */
const things = new Map<string, Item>();

beforeAll(async () => {
  await makeCandidates(make, things);
  await makeApplications(api, make, things);
});

describe('the parameter where', () => {
  it.each([
    ['candidates', 'candidate.lastname == "Johnson" OR candidate.firstname == "Dora"', 'anna dora'],
    ['candidates', 'NOT (candidate.lastname =~ "JOHN") AND candidate.title == NULL', 'dora'],
    // Texts are ordered by code points, in which capital letters come before small ones.
    ['candidates', 'candidate.lastname < "j"', 'anna carl'],
    ['candidates', 'candidate.lastname =~ "παπαδασ"', 'dora'],
    // Each comparison with a list may match another element. An empty list counts as null.
    ['candidates', 'candidate.Address.City == "Köln" AND candidate.Address.City == "Bonn"', 'anna'],
    ['candidates', 'candidate.Address.City == NULL', 'bela carl dora'],
    ['candidates', 'candidate.tags NOT IN ("java")', 'carl dora'],
    ['candidates', 'candidate.date_of_birth + DTDURATION(1,0,0,0) == "1990-05-18"', 'anna'],
    ['candidates', 'NOT (candidate.date_of_birth < DATE("1990-05-18"))', 'bela carl dora'],
    ['applications', 'application.rating + 2 == 5 OR application.rating - 1 >= 4', 'first second'],
    ['applications', 'application.submitted_dt <= "2026-03-01"', 'first'],
    ['applications', 'application.opportunity.title == application.posting.title', ''],
    ['applications', 'application.user.lastname IN ("Müller", "johnson")', 'second third'],
    ['applications', 'application.posting.title == NULL', 'second third'],
  ])('on %s with the expression %s finds %s', async (collection, where, expected) => {
    expect(await find(api, things, collection, `where: ${where}`)).toBe(expected);
  });

  it('limits the items in addition to all other conditions', async () => {
    const where = 'where: candidate.tags == "java"';
    expect(await find(api, things, 'candidates', `${where} & search: /lastname=johnson & filter: bela`)).toBe('bela');
  });

  it('accepts the root opportunity for vacancies, as topics do', async () => {
    const titles = async (where: string): Promise<unknown[]> =>
      (await api.get(`/vacancies?where=${encodeURIComponent(where)}`)).items.map(({ title }) => title);
    expect(await titles('opportunity.title == "Pilot"')).toEqual(['Pilot']);
    expect(await titles('vacancy.title == "Pilot"')).toEqual(['Pilot']);
  });

  it('is kept by links, and taken by POST query', async () => {
    const where = 'candidate.id > 0';
    const answer = await api.get(`/candidates?per_page=1&where=${encodeURIComponent(where)}`);
    expect(answer.headers['x-total-count']).toBe('4');
    expect(answer.headers['link']).toMatch(/where=candidate\.id[^;]*>; rel="next"/);
    const posted = await api.post('/candidates/query', { where, per_page: 1 });
    expect([posted.status, posted.headers['x-total-count']]).toEqual([200, '4']);
  });

  it.each([
    ['', /^where: expected an expression$/],
    ['candidate.lastnam == "x"', /^where: 1:11: .*did you mean.*\n {2}candidate.lastnam == "x"\n {12}\^{7}$/],
    ['candidate.id == "x"', /^where: 1:1: cannot compare/],
    ['candidate.id = 1', /write .?==/],
    ['vacancy.id == 1', /^where: 1:1: a datapath starts here with "candidate"/],
    ['candidate.lastname == "\\u0000"', /^where: 1:23: a text cannot contain null characters/],
    [`candidate.created_dt${' + DTDURATION(100000,0,0,0)'.repeat(11)} > DATE("today")`, /1,?000,?000 days/],
  ])('refuses the expression %j', async (where, expected) => {
    const answer = await api.get(`/candidates?where=${encodeURIComponent(where)}`);
    expect(answer.status).toBe(400);
    const [error] = answer.problem.errors ?? [];
    expect(`${error?.parameter ?? ''}: ${error?.info ?? ''}`).toMatch(expected);
  });

  it('may be given only once', async () => {
    const answer = await api.get('/candidates?where=candidate.id%3E0&where=candidate.id%3E1');
    expect([answer.status, answer.problem.errors?.[0]?.parameter]).toEqual([400, 'where']);
  });

  it('limits how many relations its datapaths follow together', async () => {
    const part = 'application.user.candidate.user.candidate.user.lastname == "x"';
    const where = Array.from({ length: 13 }, () => part).join(' OR ');
    const answer = await api.get(`/applications?where=${encodeURIComponent(where)}`);
    expect([answer.status, answer.problem.errors?.[0]?.parameter]).toEqual([400, 'where']);
  });

  it('needs the scopes of the resources that its datapaths go through', async () => {
    const token = await make.token('applications:read');
    const where = encodeURIComponent('application.user.language == "de"');
    expect((await api.get(`/applications?where=${where}`, { token })).status).toBe(403);
    expect((await api.get('/applications?where=application.rating%3E2', { token })).status).toBe(200);
  });
});
