import { beforeAll, describe, expect, it } from '@jest/globals';
import { COLLECTION_PARAMETERS, STORED_QUERY_PARAMETER } from '../../src/collections/page-parameters.js';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { makeCandidates, makeApplications, find } from './search-world.js';

const { api, make } = useApi();
/** Maps the names in the tables of cases to the objects of the tests. */
const things = new Map<string, Item>();

beforeAll(async () => {
  await makeCandidates(make, things);
  await makeApplications(api, make, things);
});

describe('violations of a query', () => {
  it.each([
    ['search: lastname', 'search: expected one of = != =~ !~ < <= > >= after the key (at 9 of "lastname")'],
    [
      'search: lastnme=x',
      'search: candidate has no attribute or relation "lastnme" (at 1 of "lastnme=x"); did you mean "lastname"?',
    ],
    [
      'search: /id=1.0',
      'search: expected a whole number from -9007199254740991 to 9007199254740991, found "1.0" (at 5 of "/id=1.0")',
    ],
    [
      'search: /Email/[fax]/Address=x',
      'search: there is no label "fax", expected one of primary, secondary, work (at 8 of "/Email/[fax]/Address=x")',
    ],
    ['search: /tags={}', 'search: expected a value in the list (at 7 of "/tags={}")'],
    ['search: type=candidate', 'search: candidate has no attribute or relation "type" (at 1 of "type=candidate")'],
    ['search: constructor=x', 'search: candidate has no attribute or relation "constructor" (at 1 of "constructor=x")'],
    [
      "search: id=1' OR 1=1",
      `search: expected a whole number from -9007199254740991 to 9007199254740991, found "1' OR 1=1" (at 4 of "id=1' OR 1=1")`,
    ],
    [
      'search: firstname=a\0b',
      'search: a text cannot contain null characters or lone surrogates (at 11 of "firstname=a\0b")',
    ],
    ['sort: tags!asc', 'sort: "tags" has many values: there is no order between them (at 1 of "tags!asc")'],
    [
      'sort: firstname',
      'sort: expected !asc or !desc after the datapath, found the end of the text (at 10 of "firstname")',
    ],
    ['filter: a & filter: b', 'filter: expected the parameter once, found 2 times: "a", "b"'],
    ['filter: ', 'filter: expected a text to look for'],
    [
      Array.from({ length: 21 }, () => 'search: id=1').join(' & '),
      'search: expected the parameter at most 20 times, found it 21 times',
    ],
    // One answer has the violations of all parameters.
    [
      'page: 0 & search: x=1 & sort: y!asc & serach: z',
      `serach: unknown parameter, expected one of ${[...COLLECTION_PARAMETERS, STORED_QUERY_PARAMETER].map(({ name }) => name).join(', ')} | page: expected an integer from 1 to 2147483647, found "0"` +
        ' | search: candidate has no attribute or relation "x" (at 1 of "x=1") | sort: candidate has no attribute or relation "y" (at 1 of "y!asc")',
    ],
  ])('explain what is wrong with %s', async (parameters, expected) => {
    expect(await find(api, things, 'candidates', parameters)).toBe(`400 ${expected}`);
  });

  it('have the documented shape', async () => {
    const { problem } = await api.get('/applications?search=/rating=x');
    expect(problem.errors).toEqual([
      { resource: 'applications', path: '', parameter: 'search', code: 'invalid', info: expect.any(String) },
    ]);
  });

  it.each([
    'x'.repeat(100_000),
    "');DROP TABLE users;--",
    '\\',
    '%00',
    '\u{10FFFF}',
    '{{{{',
    '}}}',
    '((((',
    '😀'.repeat(500),
  ])('are the only effect of the hostile text %j', async (text) => {
    for (const parameter of [
      `firstname=${text}`,
      `firstname=~${text}`,
      `${text}=1`,
      `/${text}=1`,
      `/Address/[${text}]/City=1`,
    ]) {
      expect([200, 400]).toContain((await api.get(`/candidates?search=${encodeURIComponent(parameter)}`)).status);
    }
    expect([200, 400]).toContain((await api.get(`/candidates?filter=${encodeURIComponent(text)}`)).status);
    expect((await api.get(`/candidates?sort=${encodeURIComponent(text)}!asc`)).status).toBe(400);
  });
});

describe('the scopes of a query', () => {
  const status = async (scopes: readonly string[], query: string): Promise<string> => {
    const token = await make.token(...scopes);
    const answer = await api.get(`/applications?${query}`, { token });
    return answer.status === 403 ? answer.problem.message : String(answer.status);
  };
  const lacking = (scope: string, datapath: string): string =>
    `The credential lacks the scope ${scope}, which application.${datapath} needs`;

  it.each([
    // A datapath to a value in the representation needs only the scope of the resource.
    ['search=/user/email=~x', '200'],
    ['search=user.email=~x', '200'],
    ['search=/user=1', '200'],
    ['filter=x', '200'],
    ['sort=user.lastname!asc', '200'],
    // A longer datapath needs the scope of each resource that it passes, so that no answer reveals forbidden data.
    ['search=user.language=de', lacking('users:read', 'user.language')],
    ['search=candidate.date_of_birth<1990-01-01', lacking('candidates:read', 'candidate.date_of_birth')],
    ['search=candidate.Address=', lacking('candidates:read', 'candidate.Address')],
    ['sort=user.fullname!asc', lacking('users:read', 'user.fullname')],
    ['search=posting.job_board.code=x', lacking('postings:read', 'posting.job_board.code')],
  ])('are checked: %s with applications:read alone gets %s', async (query, expected) => {
    expect(await status(['applications:read'], query)).toBe(expected);
  });

  it('suffice when they cover every resource on the datapath', async () => {
    expect(await status(['applications:read', 'postings:read'], 'search=posting.job_board.code=x')).toBe(
      lacking('job_boards:read', 'posting.job_board.code'),
    );
    expect(
      await status(['applications:read', 'postings:read', 'job_boards:read'], 'search=posting.job_board.code=x'),
    ).toBe('200');
  });
});

describe('bytes that are not UTF-8', () => {
  it.each([
    ['search=/lastname!~%E4', 'search'],
    ['search=/id={1,%ff}', 'search'],
    ['filter=M%FCller', 'filter'],
    ['sort=%ff!asc', 'sort'],
    ['page=%ff', 'page'],
  ])('are rejected instead of being replaced: %s', async (query, parameter) => {
    const { status, problem } = await api.get(`/candidates?${query}`);
    const info = 'expected percent escapes of valid UTF-8, and %25 for a percent sign';
    expect([status, problem.errors]).toEqual([400, [expect.objectContaining({ parameter, info })]]);
  });
});

describe('a query that takes too long', () => {
  it('is rejected with 400 and the code too_complex', async () => {
    const client = await api.database.pool.connect();
    // Locks a table that the look-up of the credential does not read, so that only the search waits.
    await client.query('BEGIN; LOCK TABLE job_boards IN ACCESS EXCLUSIVE MODE');
    let isAnswered = false;
    const answer = api.get('/job_boards?search=name=~x').finally(() => (isAnswered = true));
    // Cancels the waiting statement as the statement timeout would do, so that the test does not wait for the timeout.
    const cancel = `SELECT pg_cancel_backend(pid) AS done FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database() AND application_name LIKE 'ats-api%'`;
    while (!isAnswered) {
      await client.query(cancel);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await client.query('ROLLBACK');
    client.release();
    const { status, problem } = await answer;
    expect([status, problem.errors]).toEqual([
      400,
      [{ resource: 'job_boards', path: '', code: 'too_complex', info: expect.any(String) }],
    ]);
  });
});
