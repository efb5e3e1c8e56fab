// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const linkTo = ({ id, url }: Item): object => ({ id, url });
const person = (email: unknown): object => ({ firstname: 'Ada', lastname: 'Byron', email });

/** A request that is refused because `object` exists. It changes nothing, so it can be repeated. */
interface Refused {
  readonly object: Item;
  readonly scopes: readonly string[];
  /** The scope that reads the object. */
  readonly read: string;
  readonly ask: (token: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
}

const existingIn = ({ problem }: Answer): readonly unknown[] => (problem.errors ?? []).map(({ existing }) => existing);

async function liveTwice(): Promise<{ readonly live: Item; readonly ended: Item }> {
  const live = await make.application();
  const ended = await make.application({ user_id: (live['user'] as Item).id });
  await api.database.query('UPDATE applications SET opportunity_id = $2, is_live = false WHERE id = $1', [
    ended.id,
    live['opportunity_id'],
  ]);
  return { live, ended: await make.inState('rejected', ended) };
}

const REFUSALS: readonly [title: string, make: () => Promise<Refused>][] = [
  [
    'the candidate with the e-mail address, in another case',
    async () => {
      const object = await make.candidate();
      const body = person(String(object['email']).toUpperCase());
      return {
        object,
        scopes: ['candidates:write'],
        read: 'candidates:read',
        ask: (token) => api.post('/candidates', body, { token }),
      };
    },
  ],
  [
    'the candidate with the e-mail address of another candidate',
    async () => {
      const [object, other] = [await make.candidate(), await make.candidate()];
      return {
        object,
        scopes: ['candidates:write'],
        read: 'candidates:read',
        ask: (token) => api.put(`/candidates/${other.id}`, person(object['email']), { token }),
      };
    },
  ],
  [
    'the recruiter with the e-mail address of a new candidate',
    async () => {
      const object = await make.recruiter();
      return {
        object,
        scopes: ['candidates:write'],
        read: 'recruiters:read',
        ask: (token) => api.post('/candidates', person(object['email']), { token }),
      };
    },
  ],
  [
    'the candidate with the e-mail address of an inline candidate',
    async () => {
      const [object, vacancy] = [await make.candidate(), await make.vacancy()];
      const body = { opportunity_id: vacancy.id, candidate: person(object['email']) };
      return {
        object,
        scopes: ['applications:write'],
        read: 'candidates:read',
        ask: (token) => api.post('/applications', body, { token }),
      };
    },
  ],
  [
    'the event with the reference of a new vacancy',
    async () => {
      const object = await make.event({ reference: 'E-1' });
      return {
        object,
        scopes: ['vacancies:write'],
        read: 'events:read',
        ask: (token) => api.post('/vacancies', { title: 'Engineer', reference: 'E-1' }, { token }),
      };
    },
  ],
  [
    'the job board with the code',
    async () => {
      const object = await make.jobBoard();
      const body = { name: 'Board', code: object['code'] };
      return {
        object,
        scopes: ['job_boards:write'],
        read: 'job_boards:read',
        ask: (token) => api.post('/job_boards', body, { token }),
      };
    },
  ],
  [
    'the live application of the candidate to the opportunity',
    async () => {
      const object = await make.application();
      const body = { opportunity_id: object['opportunity_id'], user_id: (object['user'] as Item).id };
      return {
        object,
        scopes: ['applications:write'],
        read: 'applications:read',
        ask: (token, headers = {}) => api.post('/applications', body, { token, headers }),
      };
    },
  ],
  [
    'the live application that forbids a copy',
    async () => {
      const { live: object, ended } = await liveTwice();
      const body = { opp_id: object['opportunity_id'] };
      return {
        object,
        scopes: ['applications:write'],
        read: 'applications:read',
        ask: (token) => api.post(`/applications/${ended.id}/copy`, body, { token }),
      };
    },
  ],
  [
    'the live application that forbids the reopening of another one',
    async () => {
      const { live: object, ended } = await liveTwice();
      const path = `/applications/${ended.id}/process_state`;
      return {
        object,
        scopes: ['applications:write'],
        read: 'applications:read',
        ask: (token) => api.put(path, { state: 'in_review' }, { token }),
      };
    },
  ],
  [
    'the only live application of a candidate who is to be deleted',
    async () => {
      const object = await make.eventApplication();
      const path = below((object['candidate'] as Item).url);
      return {
        object,
        scopes: ['candidates:write'],
        read: 'applications:read',
        ask: (token) => api.delete(path, { token }),
      };
    },
  ],
  [
    'the only application to a vacancy that is to be deleted',
    async () => {
      const object = await make.application();
      const path = below((object['opportunity'] as Item).url);
      return {
        object,
        scopes: ['vacancies:write'],
        read: 'applications:read',
        ask: (token) => api.delete(path, { token }),
      };
    },
  ],
  [
    'the only posting on a job board that is to be deleted',
    async () => {
      const object = await make.posting();
      const path = below((object['job_board'] as Item).url);
      return {
        object,
        scopes: ['job_boards:write'],
        read: 'postings:read',
        ask: (token) => api.delete(path, { token }),
      };
    },
  ],
];

describe('a violation names the existing object to clients that may read it', () => {
  test.each(REFUSALS)('%s', async (_, refused) => {
    const { object, scopes, read, ask } = await refused();
    expect(existingIn(await ask(await make.token(...scopes, read)))).toEqual([linkTo(object)]);
    const hidden = await ask(await make.token(...scopes));
    expect([hidden.status, existingIn(hidden)]).toEqual([422, [undefined]]);
    expect(hidden.text).not.toContain(object.url);
  });

  test('below version 1.4 with the old name in the URL', async () => {
    const object = await make.application();
    const body = { opportunity_id: object['opportunity_id'], user_id: (object['user'] as Item).id };
    const answer = await api.post('/applications', body, { headers: { 'api-version': '1.3' } });
    const url = object.url.replace('vacancy_applications', 'applications');
    expect(existingIn(answer)).toEqual([{ id: object.id, url }]);
  });

  test('also when both requests arrive at the same time', async () => {
    const body = { name: 'Board', code: 'concurrent' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.post('/job_boards', body)));
    const [made, ...others] = answers.sort((a, b) => a.status - b.status);
    if (!made) throw new Error('no answer');
    expectStatus(201, made);
    expect(others.map(existingIn)).toEqual(others.map(() => [linkTo(made.item)]));
  });

  test('but not when several objects prevent the write', async () => {
    const { job_board } = await make.posting();
    await make.posting({ job_board_id: (job_board as Item).id });
    expect(existingIn(await api.delete(below((job_board as Item).url)))).toEqual([undefined]);
  });
});

test('the error of a refused move names the present state only to clients that may read the application', async () => {
  const { id } = await make.application();
  const path = `/applications/${id}/process_state`;
  const infoOf = async (token: string, body: object): Promise<string> =>
    (await api.put(path, body, { token })).problem.errors?.[0]?.info ?? '';
  const [mover, reader] = [await make.token('applications:write'), await make.token('*:write', 'applications:read')];
  for (const body of [{ state: 'hired' }, { state: 'hired', from_state: 'interview' }]) {
    expect(await infoOf(reader, body)).toContain('submitted');
    expect(await infoOf(mover, body)).not.toContain('submitted');
  }
});

test('the error of a refused activation mail names the status only to clients that may read the candidate', async () => {
  const body = person('active@example.com');
  const { item } = expectStatus(201, await api.post('/candidates', body, { headers: { 'api-version': '1.9' } }));
  const infoFor = async (...scopes: readonly string[]): Promise<string> => {
    const token = await make.token('candidates:write', ...scopes);
    const { problem } = await api.post(`/candidates/${item.id}/resend_activation`, undefined, { token });
    return problem.errors?.[0]?.info ?? '';
  };
  expect(await infoFor('candidates:read')).toContain('the status of the candidate is active');
  expect(await infoFor()).toBe('the account does not wait for its activation');
});

describe('a PATCH that the stored values do not allow', () => {
  const STORED = 'secret@example.com';
  const CASES: readonly [title: string, scope: string, path: string, body: object, patch: object, further: string[]][] =
    [
      [
        'a topic',
        'notifications',
        '/notification_topics',
        { name: 'Topic', type: 'STATE_CHANGE_APPLICATION', expression: `application.user.email == "${STORED}"` },
        { type: 'POSTING_CREATE' },
        ['applications:read', 'notifications:admin'],
      ],
      [
        'a saved search',
        'searches',
        '/saved_searches',
        { name: 'Search', resource: 'applications', search: [`user.email=${STORED}`] },
        { resource: 'job_boards' },
        [],
      ],
    ];

  test.each(CASES)('quotes the stored values to readers of %s only', async (_, scope, path, body, patch, further) => {
    const { id } = expectStatus(201, await api.post(path, body)).item;
    const told = async (...scopes: readonly string[]): Promise<readonly [number, string]> => {
      const token = await make.token(...scopes);
      const { status, text } = await api.request('PATCH', `/api/v1${path}/${id}`, { token, body: patch });
      return [status, text];
    };
    const [status, whole] = await told(`${scope}:read`, `${scope}:write`, ...further);
    const [statusOfWriter, hidden] = await told(`${scope}:write`, ...further);
    expect([status, statusOfWriter, whole.includes(STORED)]).toEqual([422, 422, true]);
    expect(hidden).not.toContain(STORED);
    expect(hidden).toContain('the present value of this property does not allow the change');
  });

  test('explains violations of the properties that the client has sent', async () => {
    const { id } = await make.topic();
    const token = await make.token('notifications:write', 'notifications:admin');
    const body = { expression: 'application.nothing == 1' };
    const { text } = await api.request('PATCH', `/api/v1/notification_topics/${id}`, { token, body });
    expect(text).toContain('application.nothing');
  });
});
