import { describe, expect, test } from '@jest/globals';
import { LANGUAGES, localise } from '@ats/domain';
import { message } from '@ats/message';
import { type Item, type ProblemBody } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { codesOf, englishIn, speaking, TRANSLATED } from '../support/translations.js';
import { useApi } from '../support/use-api.js';
import { inEveryLanguage } from './in-every-language.js';

const { api, make } = useApi();

const UNKNOWN = 987_654_321;

describe('an error body', () => {
  test('translates violations of a body: structure, schema and unique values', async () => {
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
    const problems = await inEveryLanguage(api, [422, 'POST', '/api/v1/applications', { body }]);
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
  ])('translates violations of %s', async (_, path, body) => {
    const there = path.replace('{topic}', String((await make.topic()).id));
    await inEveryLanguage(api, [422, 'POST', `/api/v1${there}`, { body }]);
  });

  test('translates violations of form values', async () => {
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
    await inEveryLanguage(api, [
      422,
      'POST',
      `/api/v1${below((await make.application()).url)}/form_values`,
      { body: { form_values } },
    ]);
  });

  test('translates violations of parameters, including datapaths', async () => {
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
    const problems = await inEveryLanguage(api, [400, 'GET', `/api/v1/applications?${query}`]);
    expect(codesOf(problems.get('de') as ProblemBody).length).toBeGreaterThan(12);
  });
});

describe('the texts of an explanation of a notification', () => {
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
