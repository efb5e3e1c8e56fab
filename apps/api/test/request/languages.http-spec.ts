import { describe, expect, test } from '@jest/globals';
import { LANGUAGES } from '@ats/domain';
import { localise } from '@ats/localisation';
import { message } from '@ats/message';
import { VERSIONS } from '../../src/versions/versions.js';
import { type Item, type ProblemBody } from '../support/answer.js';
import { type Api, type Method, type RequestOptions } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { codesOf, englishIn, speaking, textsOf, TRANSLATED } from '../support/translations.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const UNKNOWN = 987_654_321;

type Asked = readonly [status: number, method: Method, path: string, options?: RequestOptions];

/** Sends the request in every language and expects the same violations, translated. @returns the problems by language */
async function inEveryLanguage([status, method, path, options = {}]: Asked): Promise<ReadonlyMap<string, ProblemBody>> {
  const problems = new Map<string, ProblemBody>();
  for (const language of LANGUAGES) {
    const answer = expectStatus(
      status,
      await api.request(method, path, { ...options, headers: { ...options.headers, ...speaking(language) } }),
    );
    expect(answer.headers['content-language']).toBe(language);
    problems.set(language, answer.problem);
  }
  const english = problems.get('en') as ProblemBody;
  for (const language of TRANSLATED) {
    const problem = problems.get(language) as ProblemBody;
    expect(codesOf(problem)).toEqual(codesOf(english));
    expect(englishIn(english, problem)).toEqual([]);
    expect(textsOf(english)).not.toEqual(expect.arrayContaining([problem.message]));
  }
  return problems;
}

describe('a problem is in the language of the request', () => {
  test('with violations of a body: structure, schema and unique values', async () => {
    const taken = await make.candidate();
    const draft = await make.vacancy({ state: 'draft' });
    const candidate = {
      firstname: 'x'.repeat(300),
      email: taken['email'],
      date_of_birth: '2000-02-30',
      tags: ['a', ''],
      status: 'active',
      Email: [{ Label: 'work', Address: 'nowhere' }],
    };
    const body = {
      opportunity_id: draft.id,
      posting_id: UNKNOWN,
      rating: 9,
      source: 7,
      user_id: UNKNOWN,
      candidate,
      bogus: 1,
    };
    const problems = await inEveryLanguage([422, 'POST', '/api/v1/applications', { body }]);
    expect(codesOf(problems.get('de') as ProblemBody).length).toBeGreaterThan(9);
    for (const language of LANGUAGES) {
      const { message: text, errors = [] } = problems.get(language) as ProblemBody;
      expect(text).toBe(localise(message`Validation failed`, language));
      const infoAt = (path: string) => errors.find((violation) => violation.path === path)?.info;
      expect(infoAt('/rating')).toBe(localise(message`expected a whole number from ${1} to ${5}`, language));
      expect(infoAt('/candidate/firstname')).toBe(localise(message`expected at most ${255} characters`, language));
      expect(infoAt('/bogus')).toBe(localise(message`unknown property`, language));
    }
  });

  test.each<[string, string, object]>([
    [
      'an expression',
      '/notification_topics',
      {
        type: 'STATE_CHANGE_APPLICATION',
        name: 'T',
        expression: 'application.fistname == 1 AND application.id == "x" && (',
      },
    ],
    [
      'an expression that cannot be compared',
      '/notification_topics',
      {
        type: 'STATE_CHANGE_APPLICATION',
        name: 'T',
        expression: 'application.id == "x" AND DATE("yesterday") < 1 AND application.bogus IN ()',
      },
    ],
    [
      'a template',
      '/message_templates',
      { name: 'T', subject: '{{ application.user.fistname }}', body: '<p>{{ 1 }} {{</p>' },
    ],
    [
      'a stored search',
      '/saved_searches',
      {
        resource: 'candidates',
        search: ['/lastname=x', '/lastnme=x', 'id=x', 'id{a'],
        filter: '',
        sort: ['tags!asc', 'x'],
        name: '',
      },
    ],
    [
      'a layout',
      '/layouts',
      {
        name: 'x',
        resource: 'applications',
        columns: [
          { title: '', datapath: 'refrence' },
          { title: {}, datapath: 'user.' },
          { title: { xx: 'T' }, datapath: 'id', position: 9 },
        ],
      },
    ],
    [
      'a form',
      '/forms',
      {
        name: 'F',
        resource: 'applications',
        sections: [
          {
            name: 'S',
            items: [
              { key: '1', label: 'L', type: 'texts' },
              {
                key: 'a',
                label: 'L',
                type: 'text',
                options: [{ value: 'x' }],
                validation: { pattern: '(', min: 3, max: 1 },
                visible_if: 'nothing ==',
              },
            ],
          },
        ],
      },
    ],
    [
      'a destination',
      `/notification_topics/{topic}/subscriptions`,
      { destination_url: 'http://10.0.0.1:22/', start_dt: '2027-01-01', end_dt: '2026-01-01T00:00:00Z' },
    ],
    [
      'a credential',
      '/credentials',
      { name: '', scopes: ['bogus:read', 7], api_version: '2.0', language: 'tlh', expires_dt: 'soon' },
    ],
    [
      'scoring rules',
      '/vacancies',
      {
        title: 'T',
        scoring_rules: [
          { expression: 'application.score > 1', points: 1.234 },
          { expression: '', points: 'x' },
        ],
        salary_currency: 'eur',
        salary_min: 9,
        salary_max: 1,
      },
    ],
  ])('with violations of %s', async (_, path, body) => {
    const there = path.replace('{topic}', String((await make.topic()).id));
    await inEveryLanguage([422, 'POST', `/api/v1${there}`, { body }]);
  });

  test('with violations of form values', async () => {
    const sections = [
      {
        name: 'S',
        items: [
          { key: 'n', label: 'N', type: 'integer', validation: { min: 2 }, required: true },
          { key: 's', label: 'S', type: 'single_select', options: [{ value: 'a' }] },
          { key: 'p', label: 'P', type: 'phone' },
        ],
      },
    ];
    const form = await make.form({ sections });
    const ids =
      (form['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items.map(({ id }) => id) ?? [];
    const form_values = [
      ...ids.map((item_id, index) => ({ item_id, value: index === 0 ? 1 : 'x' })),
      { item_id: UNKNOWN, value: 1 },
      { item_id: ids[0], section_instance: 2, value: 3 },
      { item_id: ids[0], value: 3 },
    ];
    await inEveryLanguage([
      422,
      'POST',
      `/api/v1${below((await make.application()).url)}/form_values`,
      { body: { form_values } },
    ]);
  });

  test('with violations of parameters, including datapaths', async () => {
    const query = [
      'search=nonsense',
      'search=/nothing=1',
      'search=user.fistname=x',
      'search=/id=x',
      'search=id=~1',
      'search=/user/id={',
      'sort=tags!asc',
      'sort=id',
      'filter=',
      'layout=987654321',
      'saved_search=x',
      'rich_txt_fmt=pdf',
      'page=0',
      'per_page=1001',
      'serach=1',
    ].join('&');
    const problems = await inEveryLanguage([400, 'GET', `/api/v1/applications?${query}`]);
    expect(codesOf(problems.get('de') as ProblemBody).length).toBeGreaterThan(12);
  });

  test.each<[string, () => Promise<Asked>]>([
    ['an unknown path', () => Promise.resolve([404, 'GET', '/api/v1/nothing'])],
    ['an unknown item', () => Promise.resolve([404, 'GET', `/api/v1/candidates/${UNKNOWN}`])],
    ['what cannot be an id', () => Promise.resolve([404, 'GET', '/api/v1/candidates/x'])],
    ['an unknown schema', () => Promise.resolve([404, 'GET', '/api/v1/schemas/x'])],
    ['another method', () => Promise.resolve([405, 'PATCH', '/api/v1/me'])],
    ['no credentials', () => Promise.resolve([401, 'GET', '/api/v1/me', { token: null }])],
    ['a scope that is lacking', async () => [403, 'GET', '/api/v1/candidates', { token: await make.scopelessToken() }]],
    [
      'missing scopes',
      async () => [403, 'GET', '/api/v1/api/quick_search?q=ada', { token: await make.scopelessToken() }],
    ],
    [
      'a scope that a datapath needs',
      async () => [
        403,
        'GET',
        '/api/v1/applications?search=user.language=de',
        { token: await make.token('applications:read') },
      ],
    ],
    [
      'a scope that a parameter needs',
      async () => [
        403,
        'GET',
        `/api/v1/candidates?selection=${(await make.selection()).id}`,
        { token: await make.token('candidates:read') },
      ],
    ],
    [
      'a stale ETag',
      async () => [
        412,
        'PUT',
        `/api/v1${below((await make.jobBoard()).url)}`,
        { body: { name: 'B', code: 'b-1' }, headers: { 'if-match': '"x"' } },
      ],
    ],
    ['an unknown version', () => Promise.resolve([400, 'GET', '/api/v1/me', { headers: { 'api-version': '2.0' } }])],
    ['a body that is no JSON', () => Promise.resolve([400, 'POST', '/api/v1/candidates', { payload: '{' }])],
    [
      'a body of another media type',
      () =>
        Promise.resolve([
          415,
          'POST',
          '/api/v1/candidates',
          { payload: '{}', headers: { 'content-type': 'text/plain' } },
        ]),
    ],
    [
      'a body that is too large',
      () => Promise.resolve([413, 'POST', '/api/v1/candidates', { payload: `"${'x'.repeat(1024 * 1024)}"` }]),
    ],
    [
      'an invalid Idempotency-Key',
      () =>
        Promise.resolve([400, 'POST', '/api/v1/candidates', { payload: '{}', headers: { 'idempotency-key': 'é' } }]),
    ],
    ['a path that cannot be decoded', () => Promise.resolve([400, 'GET', '/api/v1/candidates/%ff'])],
  ])('about %s', async (_, asked) => {
    await inEveryLanguage(await asked());
  });

  test('about a request that is still running', async () => {
    const user = await make.candidate();
    const vacancy = await make.vacancy();
    const options = {
      body: { user_id: user.id, opportunity_id: vacancy.id },
      headers: { 'idempotency-key': 'in five languages' },
    };
    let first: ReturnType<Api['request']> | undefined;
    await api.database.transaction(async (transaction) => {
      await transaction.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
      first = api.request('POST', '/api/v1/applications', options);
      await expectClaim('in five languages');
      await inEveryLanguage([409, 'POST', '/api/v1/applications', options]);
    });
    expectStatus(201, (await first) as Awaited<ReturnType<Api['request']>>);
    await inEveryLanguage([
      422,
      'POST',
      '/api/v1/applications',
      { ...options, body: { ...options.body, source: 'other' } },
    ]);
  });

  async function expectClaim(key: string): Promise<void> {
    for (;;) {
      const claims = await api.database.query('SELECT FROM idempotency_keys WHERE key = $1', [key]);
      if (claims.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  test('in the language of the header before authentication, else of the credential or the system', async () => {
    const contentLanguage = async (language: string) =>
      (await api.get('/me', { token: null, headers: { 'accept-language': language } })).headers['content-language'];
    expect(await contentLanguage('xx, de-AT;q=0.8, fr;q=0.7')).toBe('de');
    expect(await contentLanguage('tlh')).toBe('en');
    const { token } = await make.credential({ language: 'fr' });
    const answer = expectStatus(404, await api.get('/candidates/0', { token }));
    expect([answer.headers['content-language'], answer.problem.message]).toEqual([
      'fr',
      localise(message`An item with the id ${'"0"'} was not found`, 'fr'),
    ]);
    const refused = expectStatus(406, await api.get('/me', { token, headers: { 'accept-language': 'tlh' } }));
    expect([refused.headers['content-language'], refused.problem.message]).toEqual([
      'fr',
      localise(message`Accept-Language must allow one of ${LANGUAGES}`, 'fr'),
    ]);
    const versionless = expectStatus(400, await api.get('/me', { token, headers: { 'api-version': 'x' } }));
    expect([versionless.headers['content-language'], versionless.problem.message]).toEqual([
      'fr',
      localise(message`Api-Version must be one of ${VERSIONS.versions}`, 'fr'),
    ]);
  });
});

describe('the verdicts of an explanation', () => {
  test('are in the language of the request', async () => {
    const topic = await make.topic();
    const application = await make.application();
    expectStatus(200, await api.put(`${below(application.url)}/process_state`, { state: 'in_review' }));
    const [event] = await api.database.query<{ id: number }>('SELECT max(id)::int AS id FROM domain_events');
    const infosIn = async (language: (typeof LANGUAGES)[number]) => {
      const answer = expectStatus(
        200,
        await api.get(`/notification_topics/${topic.id}/explain?event_id=${event?.id ?? 0}`, {
          headers: speaking(language),
        }),
      );
      return (
        answer.json as {
          readonly verdicts: readonly { readonly step: string; readonly ok: boolean; readonly info: string }[];
        }
      ).verdicts;
    };
    const english = await infosIn('en');
    expect(english.length).toBeGreaterThan(0);
    for (const language of TRANSLATED) {
      const verdicts = await infosIn(language);
      expect(verdicts.map(({ step, ok }) => [step, ok])).toEqual(english.map(({ step, ok }) => [step, ok]));
      const problem = (infos: readonly { readonly info: string }[]): ProblemBody => ({
        message: infos.map(({ info }) => info).join('; '),
        request_id: '',
      });
      expect(englishIn(problem(english), problem(verdicts))).toEqual([]);
      expect(verdicts.map(({ info }) => info)).not.toEqual(english.map(({ info }) => info));
    }
  });
});

describe('a replayed answer', () => {
  test('names its own language, whichever is requested', async () => {
    const body = { user_id: (await make.candidate()).id, opportunity_id: (await make.vacancy()).id };
    const ask = (language: (typeof LANGUAGES)[number]) =>
      api.post('/applications', body, { headers: { 'idempotency-key': 'repeated', ...speaking(language) } });
    const first = expectStatus(201, await ask('de'));
    const again = expectStatus(201, await ask('fr'));
    expect([again.item, again.headers['content-language'], again.headers['etag']]).toEqual([
      first.item,
      'de',
      first.headers['etag'],
    ]);
    const read = expectStatus(200, await api.get(below(first.item.url), { headers: speaking('de') }));
    expect(read.headers['etag']).toBe(first.headers['etag']);
  });
});

describe('a localised text', () => {
  const texts = { en: 'Driver', de: 'Fahrer', fr: 'Conducteur', es: 'Conductor', ar: 'سائق' };

  test.each(LANGUAGES)('is read in %s: labels, options, titles, values, names of states', async (language) => {
    const form = await make.form({
      sections: [
        {
          name: texts,
          items: [{ key: 'kind', label: texts, type: 'single_select', options: [{ value: 'a', label: texts }] }],
        },
      ],
    });
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const itemId = section?.items[0]?.id ?? 0;
    const application = await make.formValues(await make.application(), [{ item_id: itemId, value: 'a' }]);
    const columns = [
      { title: texts, datapath: `application.formdata.${itemId}` },
      { title: 'State', datapath: 'main_process_state.state' },
    ];
    const layout = await make.layout({ columns });
    const headers = speaking(language);
    const text = texts[language];

    const shown = expectStatus(200, await api.get(`/forms/${form.id}`, { headers })).item;
    expect(shown['sections']).toMatchObject([
      { name: text, items: [{ label: text, options: [{ label: text, value: 'a' }] }] },
    ]);
    expect(expectStatus(200, await api.get(`/layouts/${layout.id}`, { headers })).item['columns']).toMatchObject([
      { title: text },
      { title: 'State' },
    ]);

    const [state] = await api.database.query<{ name: Readonly<Record<string, string>> }>(
      `SELECT name FROM states WHERE state = 'submitted'`,
    );
    const answer = expectStatus(200, await api.get(`${below(application.url)}?layout=${layout.id}`, { headers }));
    expect(answer.headers['content-language']).toBe(language);
    expect(answer.item).toMatchObject({
      process_state: { state: 'submitted', name: state?.name[language] },
      layout_data: [{ value: text }, { value: state?.name[language] }],
    });
    const [vacancyState] = await api.database.query<{ name: Readonly<Record<string, string>> }>(
      `SELECT name FROM states WHERE state = 'open'`,
    );
    for (const [path, name] of [
      [`${below(application.url)}/process_state`, state?.name[language]],
      [`/vacancies/${(await make.vacancy()).id}/state`, vacancyState?.name[language]],
    ] as const) {
      expect(expectStatus(200, await api.get(path, { headers })).json).toMatchObject({ name });
    }
    expect(new Set(Object.values(state?.name ?? {})).size).toBe(LANGUAGES.length);
  });

  test('falls back to the default language of the system, then to any language', async () => {
    const labelled = (label: object | string) =>
      make.form({ sections: [{ name: 'S', items: [{ key: 'a', label, type: 'text' }] }] });
    const labelOf = async ({ id }: Item) =>
      (
        expectStatus(200, await api.get(`/forms/${id}`, { headers: speaking('ar') })).item['sections'] as readonly {
          readonly items: readonly Item[];
        }[]
      )[0]?.items[0]?.['label'];
    expect(await labelOf(await labelled({ en: 'Driver', de: 'Fahrer' }))).toBe('Driver');
    expect(await labelOf(await labelled('Driver'))).toBe('Driver');
    expect(await labelOf(await labelled({ fr: 'Conducteur' }))).toBe('Conducteur');
  });
});
