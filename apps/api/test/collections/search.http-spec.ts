import { beforeAll, describe, expect, it } from '@jest/globals';
import { COLLECTION_PARAMETERS } from '../../src/collections/page-parameters.js';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
/** Objects by their names in the tables below. */
const things = new Map<string, Item>();

beforeAll(async () => {
  await makeCandidates();
  await makeApplications();
});

async function makeCandidates(): Promise<void> {
  const people: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    anna: {
      firstname: 'Anna',
      lastname: 'Johnson',
      email: 'anna@example.com',
      title: 'Dr',
      tags: ['java', 'Remote'],
      date_of_birth: '1990-05-17',
      Address: [
        { Label: 'home', City: 'Köln', CountryCode: 'DE' },
        { Label: 'term', City: 'Bonn' },
      ],
      Email: [{ Label: 'work', Address: 'anna@work.example.com' }],
    },
    bela: {
      firstname: 'Béla',
      lastname: 'johnson',
      email: 'bela@example.com',
      tags: ['java'],
      date_of_birth: '1990-05-18',
      Address: [{ Label: 'home', City: null }],
    },
    carl: {
      firstname: 'Carl',
      lastname: 'Müller',
      email: 'carl@example.com',
      title: '',
      source: '100% {of} a_b\\c, d',
    },
    dora: {
      firstname: 'Dora',
      lastname: 'ΠΑΠΑΔΑΣ',
      email: 'dora@example.com',
      Email: [{ Label: 'work', Address: 'dora@work.example.com' }],
    },
  };
  for (const [name, properties] of Object.entries(people)) things.set(name, await make.candidate(properties));
}

async function makeApplications(): Promise<void> {
  const engineer = await make.vacancy({ title: 'Engineer', department: 'R&D' });
  const pilot = await make.vacancy({ title: 'Pilot' });
  const posting = await make.posting({ vacancy_id: engineer.id, title: 'Engineer wanted' });
  const applications: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    first: {
      opportunity_id: engineer.id,
      user_id: things.get('anna')?.id,
      posting_id: posting.id,
      rating: 3,
      tags: ['a'],
    },
    second: { opportunity_id: pilot.id, user_id: things.get('bela')?.id, rating: 5 },
    third: { opportunity_id: engineer.id, user_id: things.get('carl')?.id },
  };
  for (const [name, properties] of Object.entries(applications)) things.set(name, await make.application(properties));
  await api.put(`/applications/${things.get('second')?.id}/process_state`, { state: 'in_review' });
  await api.database.query(
    `UPDATE applications SET score = 12.50, submitted_dt = '2026-03-01T23:30:00.500Z' WHERE id = $1`,
    [things.get('first')?.id],
  );
  await api.database.query(`UPDATE applications SET submitted_dt = '2026-03-02T00:00:00Z' WHERE id = $1`, [
    things.get('second')?.id,
  ]);
  await api.database.query(`UPDATE applications SET submitted_dt = NULL WHERE id = $1`, [things.get('third')?.id]);
}

/** The names of the items in an answer, or its violations as text. `%name%` stands for the id of an object. */
async function find(collection: string, parameters: string): Promise<string> {
  const query = new URLSearchParams();
  for (const part of parameters.split(' & ')) {
    const [name = '', ...value] = part.split(': ');
    query.append(
      name,
      value.join(': ').replace(/%(\w+)%/g, (_, thing: string) => String(things.get(thing)?.id)),
    );
  }
  const answer = await api.get(`/${collection}?${query.toString()}`);
  if (answer.status !== 200)
    return `${answer.status} ${(answer.problem.errors ?? []).map(({ parameter, info }) => `${parameter ?? ''}: ${info ?? ''}`).join(' | ')}`;
  expect(answer.headers['x-total-count']).toBe(String(answer.items.length));
  const names = new Map([...things].map(([name, { url }]) => [url, name]));
  return answer.items.map(({ url }) => names.get(url) ?? url).join(' ');
}

describe('search on candidates', () => {
  it.each([
    // Exact, and case-sensitive.
    ['/lastname=Johnson', 'anna'],
    ['lastname=johnson', 'bela'],
    ['candidate.lastname=johnson', 'bela'],
    ['/lastname!=Johnson', 'bela carl dora'],
    ['/lastname={Johnson,johnson}', 'anna bela'],
    ['/lastname!={Johnson,johnson}', 'carl dora'],
    ['/id={%anna%,%carl%}', 'anna carl'],
    [
      '/user/id=%anna%',
      '400 search: the representation of candidate has nothing called "user" here (at 2 of "/user/id=1")',
    ],
    // Case-insensitive substring in any script; wildcards are ordinary characters.
    ['/lastname=~JOHN', 'anna bela'],
    ['/lastname=~MÜL', 'carl'],
    ['/lastname=~παπαδας', 'dora'],
    ['/lastname=~αδασ', 'dora'],
    ['/lastname!~ohn', 'carl dora'],
    ['/source=~0% {', 'carl'],
    ['/source=~a_b\\c', 'carl'],
    ['/source=~_', 'carl'],
    ['/source=~a%c', ''],
    ['/source={100% \\{of\\} a_b\\\\c\\, d}', 'carl'],
    ['/date_of_birth=~-05-1', 'anna bela'],
    // An empty value matches null, the empty text and an empty list.
    ['/title=', 'bela carl dora'],
    ['/title!=', 'anna'],
    ['/title={Dr,}', 'anna bela carl dora'],
    ['/tags=', 'carl dora'],
    ['/Address=', 'carl dora'],
    // Order comparisons; null never matches.
    ['/date_of_birth<1990-05-18', 'anna'],
    ['/date_of_birth>=1990-05-17', 'anna bela'],
    ['/lastname<k', 'anna bela'],
    ['/title<zzz', 'anna carl'],
    // To-many: positive operators match any element, negative ones match when no element does.
    ['/tags=java', 'anna bela'],
    ['/tags/*=~REM', 'anna'],
    ['/tags!=java', 'carl dora'],
    ['/Address/*/City=Bonn', 'anna'],
    ['/Address/[home]/City=Bonn', ''],
    ['/Address/[home]/City=~köLN', 'anna'],
    ['/Address/[home]/City=', 'bela carl dora'],
    ['/Address/*/City!=Bonn', 'bela carl dora'],
    ['Address.City=Bonn', 'anna'],
    ['/Email/[work]/Address=~WORK', 'anna dora'],
    // Conditions are combined with AND.
    ['/lastname=~john & search: /tags=Remote', 'anna'],
  ])('%s finds %s', async (search, expected) => {
    expect((await find('candidates', `search: ${search}`)).replace(/\/user\/id=\d+/, '/user/id=1')).toBe(expected);
  });
});

describe('search on applications', () => {
  it.each([
    ['/user/id=%anna%', 'first'],
    ['/user=%anna%', 'first'],
    ['application.user=%anna%', 'first'],
    ['user={%anna%,%bela%}', 'first second'],
    ['application.user.firstname=Anna', 'first'],
    ['/process_state/state=in_review', 'second'],
    ['main_process_state.state.phase!=x', 'first second third'],
    ['/opportunity/title=~ENG', 'first third'],
    ['vacancy.department=R&D', 'first third'],
    ['opportunity.department!=R&D', 'second'],
    ['user.fullname=Anna Johnson', 'first'],
    ['candidate.Address.City=Bonn', 'first'],
    // A reference that is null.
    ['/posting=', 'second third'],
    ['/posting!=', 'first'],
    ['posting.title=', 'second third'],
    ['posting.title!=Engineer wanted', 'second third'],
    ['event=', 'first second third'],
    // Numbers in any notation; null has no order.
    ['/rating>=3', 'first second'],
    ['/rating<5', 'first'],
    ['/rating!=5', 'first third'],
    ['/score=12.5', 'first'],
    ['/score=~2.5', 'first'],
    // A date is the whole UTC day; timestamps may have an offset.
    ['/submitted_dt=2026-03-01', 'first'],
    ['/submitted_dt!=2026-03-01', 'second third'],
    ['/submitted_dt<=2026-03-01', 'first'],
    ['/submitted_dt>2026-03-01', 'second'],
    ['/submitted_dt>=2026-03-01', 'first second'],
    ['/submitted_dt<2026-03-02', 'first'],
    ['/submitted_dt=2026-03-02T01:00:00+01:00', 'second'],
    ['/submitted_dt=2026-03-01T23:30:00.500Z', 'first'],
    ['/submitted_dt=', 'third'],
    ['/app_type=event_application', ''],
  ])('%s finds %s', async (search, expected) => {
    expect(await find('applications', `search: ${search}`)).toBe(expected);
  });
});

describe('filter', () => {
  it.each([
    ['candidates', 'ANNA', 'anna'],
    ['candidates', 'bonn', 'anna'],
    ['candidates', 'work.EXAMPLE', 'anna dora'],
    ['candidates', 'remote', 'anna'],
    ['candidates', '1990', 'anna bela'],
    ['candidates', '%', 'carl'],
    ['applications', 'müller', 'third'],
    ['applications', 'PILOT', 'second'],
    ['applications', 'wanted', ''],
    ['applications', '/api/v1', ''],
  ])('in %s with the text %s finds %s', async (collection, filter, expected) => {
    expect(await find(collection, `filter: ${filter}`)).toBe(expected);
  });
});

describe('sort', () => {
  it.each([
    ['candidates', 'firstname!desc', 'dora carl bela anna'],
    // Letters first, then accents, then case, then the id.
    ['candidates', 'lastname!asc', 'bela anna carl dora'],
    ['candidates', 'title!asc', 'carl anna bela dora'],
    ['candidates', 'title!desc', 'anna carl bela dora'],
    ['candidates', 'candidate.source!desc & sort: id!desc', 'carl dora bela anna'],
    ['applications', 'opportunity.title!desc & sort: user.lastname!asc', 'second first third'],
    ['applications', 'posting.title!desc', 'first second third'],
    ['applications', 'rating!desc', 'second first third'],
    ['applications', 'score!asc & filter: engineer', 'first third'],
  ])('%s by %s: %s', async (collection, sort, expected) => {
    expect(await find(collection, `sort: ${sort}`)).toBe(expected);
  });

  it('applies to all pages, and every link keeps the parameters', async () => {
    const answer = await api.get('/candidates?sort=firstname!desc&search=%2Flastname!%3Dx&per_page=1&page=2');
    expect(answer.items.map(({ id }) => id)).toEqual([things.get('carl')?.id]);
    expect(answer.headers['x-total-count']).toBe('4');
    expect(answer.headers['link']).toMatch(
      /sort=firstname!desc&search=%2Flastname!%3Dx&per_page=1&page=3&after=[\w-]+>; rel="next"/,
    );
  });
});

describe('violations', () => {
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
    ['sort: firstname', 'sort: expected !asc or !desc after the datapath, found the end (at 10 of "firstname")'],
    ['filter: a & filter: b', 'filter: expected once, found 2 times: "a", "b"'],
    ['filter: ', 'filter: expected a text to look for'],
    [
      Array.from({ length: 21 }, () => 'search: id=1').join(' & '),
      'search: expected the parameter at most 20 times, found it 21 times',
    ],
    // All violations of all parameters together.
    [
      'page: 0 & search: x=1 & sort: y!asc & serach: z',
      `serach: unknown parameter, expected one of ${COLLECTION_PARAMETERS.map(({ name }) => name).join(', ')} | page: expected an integer from 1 to 2147483647, found "0"` +
        ' | search: candidate has no attribute or relation "x" (at 1 of "x=1") | sort: candidate has no attribute or relation "y" (at 1 of "y!asc")',
    ],
  ])('%s', async (parameters, expected) => {
    expect(await find('candidates', parameters)).toBe(`400 ${expected}`);
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
  ])('are the only answer to the hostile text %j', async (text) => {
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

describe('scopes', () => {
  const status = async (scopes: readonly string[], query: string): Promise<string> => {
    const token = await make.token(...scopes);
    const answer = await api.get(`/applications?${query}`, { token });
    return answer.status === 403 ? answer.problem.message : String(answer.status);
  };
  const lacking = (scope: string, datapath: string): string =>
    `The credential lacks the scope ${scope}, which application.${datapath} needs`;

  it.each([
    // Values of the representation need the scope of the resource alone.
    ['search=/user/email=~x', '200'],
    ['search=user.email=~x', '200'],
    ['search=/user=1', '200'],
    ['filter=x', '200'],
    ['sort=user.lastname!asc', '200'],
    // Longer datapaths need the scope of each resource on the way, so that no answer reveals forbidden data.
    ['search=user.language=de', lacking('users:read', 'user.language')],
    ['search=candidate.date_of_birth<1990-01-01', lacking('candidates:read', 'candidate.date_of_birth')],
    ['search=candidate.Address=', lacking('candidates:read', 'candidate.Address')],
    ['sort=user.fullname!asc', lacking('users:read', 'user.fullname')],
    ['search=posting.job_board.code=x', lacking('postings:read', 'posting.job_board.code')],
  ])('%s with applications:read alone: %s', async (query, expected) => {
    expect(await status(['applications:read'], query)).toBe(expected);
  });

  it('suffice when they cover every resource on the way', async () => {
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
    [
      'search=/lastname!~%E4',
      'search: expected UTF-8, found other bytes, read as U+FFFD (at 12 of "/lastname!~\ufffd")',
    ],
    ['search=/id={1,%ff}', 'search: expected UTF-8, found other bytes, read as U+FFFD (at 8 of "/id={1,\ufffd}")'],
    ['filter=M%FCller', 'filter: expected UTF-8, found other bytes, read as U+FFFD (at 1 of "M\ufffdller")'],
    ['sort=%ff!asc', expect.stringContaining('sort: ')],
    ['page=%ff', expect.stringContaining('page: ')],
  ])('are rejected instead of being replaced: %s', async (query, expected) => {
    const { status, problem } = await api.get(`/candidates?${query}`);
    expect([status, problem.errors?.map(({ parameter, info }) => `${parameter}: ${info}`)]).toEqual([400, [expected]]);
  });
});

describe('a query that takes too long', () => {
  it('is a 400 too_complex', async () => {
    const client = await api.database.pool.connect();
    await client.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const answer = api.get('/users?search=firstname=~x');
    // Simulates the statement timeout without waiting for it.
    const cancel = `SELECT pg_cancel_backend(pid) AS done FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database() AND application_name LIKE 'ats-api%'`;
    while ((await client.query(cancel)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await client.query(cancel);
    await client.query('ROLLBACK');
    client.release();
    const { status, problem } = await answer;
    expect([status, problem.errors]).toEqual([
      400,
      [{ resource: 'users', path: '', code: 'too_complex', info: expect.any(String) }],
    ]);
  });
});
