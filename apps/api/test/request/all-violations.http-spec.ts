import { describe, expect, test } from '@jest/globals';
import { type ProblemBody } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const UNKNOWN = 987_654_321;

async function violationsOf(method: 'POST' | 'PUT', path: string, body: object): Promise<string[]> {
  const answer = await api.request(method, `/api/v1${path}`, { body });
  expect(answer.status).toBe(422);
  return ((answer.json as ProblemBody).errors ?? [])
    .map(({ resource, path: pointer, code }) => `${resource}${pointer} ${code}`)
    .sort();
}

describe('one answer', () => {
  test('lists violations in single properties, between properties, and in references', async () => {
    const body = { title: 7, bogus: 1, opening_date: '2027-02-01', closing_date: '2027-01-01', owner_id: UNKNOWN };
    expect(await violationsOf('POST', '/vacancies', body)).toEqual([
      'vacancies/bogus invalid',
      'vacancies/closing_date invalid',
      'vacancies/owner_id invalid',
      'vacancies/title invalid',
    ]);
  });

  test('lists violations in properties and a value that is already taken', async () => {
    const taken = await make.candidate();
    expect(
      await violationsOf('POST', '/candidates', { firstname: '', email: String(taken['email']).toUpperCase() }),
    ).toEqual(['candidates/email already_exists', 'candidates/firstname invalid', 'candidates/lastname missing']);
  });

  test('lists violations in several references', async () => {
    const body = { vacancy_id: UNKNOWN, job_board_id: UNKNOWN, opening_date: '2027-02-01', closing_date: '2027-01-01' };
    expect(await violationsOf('POST', '/postings', body)).toEqual([
      'postings/closing_date invalid',
      'postings/job_board_id invalid',
      'postings/vacancy_id invalid',
    ]);
  });

  test('lists violations in the opportunity and in the inline candidate', async () => {
    const taken = await make.candidate();
    const draft = await make.vacancy({ state: 'draft' });
    const candidate = { firstname: 'Ada', lastname: 'Byron', email: taken['email'] };
    expect(
      await violationsOf('POST', '/applications', { opportunity_id: draft.id, posting_id: UNKNOWN, candidate }),
    ).toEqual([
      'applications/candidate/email already_exists',
      'applications/opportunity_id opportunity_not_open',
      'applications/posting_id invalid',
    ]);
  });

  test('lists violations in properties and an opportunity that is not open', async () => {
    const draft = await make.vacancy({ state: 'draft' });
    expect(
      await violationsOf('POST', '/applications', {
        opportunity_id: draft.id,
        posting_id: UNKNOWN,
        user_id: UNKNOWN,
        rating: 9,
      }),
    ).toEqual([
      'applications/opportunity_id opportunity_not_open',
      'applications/posting_id invalid',
      'applications/rating invalid',
      'applications/user_id invalid',
    ]);
    expect(await violationsOf('POST', '/applications', { opportunity_id: 'x', user_id: 1.5 })).toEqual([
      'applications/opportunity_id invalid',
      'applications/user_id invalid',
    ]);
  });

  test('lists violations in properties and in an expression', async () => {
    const body = {
      type: 'STATE_CHANGE_APPLICATION',
      expression: 'application.fistname == 1 AND application.id == "x"',
    };
    expect(await violationsOf('POST', '/notification_topics', body)).toEqual([
      'notification_topics/expression invalid',
      'notification_topics/expression invalid',
      'notification_topics/name missing',
    ]);
  });

  test('lists violations in properties and in the conditions of a search', async () => {
    const body = {
      resource: 'candidates',
      search: ['/lastname=x', 7, '/lastnme=x', 'id=x'],
      filter: '',
      sort: ['tags!asc'],
      owner_id: 1,
    };
    expect(await violationsOf('POST', '/saved_searches', body)).toEqual([
      'saved_searches/filter invalid',
      'saved_searches/name missing',
      'saved_searches/owner_id invalid',
      'saved_searches/search/1 invalid',
      'saved_searches/search/2 invalid',
      'saved_searches/search/3 invalid',
      'saved_searches/sort/0 invalid',
    ]);
  });

  test('lists violations of a replacement, which may keep its own unique values', async () => {
    const [board, other] = [await make.jobBoard(), await make.jobBoard()];
    expect(await violationsOf('PUT', `/job_boards/${board.id}`, { code: other['code'] })).toEqual([
      'job_boards/code already_exists',
      'job_boards/name missing',
    ]);
    expect(await violationsOf('PUT', `/job_boards/${board.id}`, { code: board['code'] })).toEqual([
      'job_boards/name missing',
    ]);
    const kept = await api.request('PUT', `/api/v1/job_boards/${board.id}`, {
      body: { name: 'Renamed', code: board['code'] },
    });
    expect(kept.status).toBe(200);
  });
});
