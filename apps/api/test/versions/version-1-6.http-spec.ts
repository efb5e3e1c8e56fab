// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const copy = (
  version: string,
  { path = 'applications', id }: { readonly path?: string; readonly id: number },
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => api.post(`/${path}/${id}/copy`, body, { headers: { 'api-version': version, ...headers } });

describe('below 1.6, a copy', () => {
  test.each(['applications', 'vacancy_applications', 'event_applications', 'event_registrations'])(
    'takes vacancy_id at /%s, and opp_id from 1.6 on',
    async (path) => {
      const isEvent = path.startsWith('event');
      const { id } = isEvent ? await make.eventApplication() : await make.application();
      for (const [version, name] of [
        ['1.2', 'vacancy_id'],
        ['1.5', 'vacancy_id'],
        ['1.6', 'opp_id'],
        ['1.9', 'opp_id'],
      ] as const) {
        const target = isEvent ? await make.event() : await make.vacancy();
        const other = name === 'opp_id' ? 'vacancy_id' : 'opp_id';
        const refused = await copy(version, { path, id }, { [other]: target.id });
        expect([refused.status, [...refused.violations].sort()]).toEqual([
          422,
          [`invalid /${other}`, `missing /${name}`],
        ]);
        const both = await copy(version, { path, id }, { [other]: target.id, [name]: target.id });
        expect([both.status, both.violations]).toEqual([422, [`invalid /${other}`]]);
        const { status, item } = await copy(version, { path, id }, { [name]: target.id });
        expect([status, item['opportunity_id']]).toEqual([201, target.id]);
      }
    },
  );

  test('rejects run_config_autoscoring', async () => {
    const [{ id }, scored] = [
      await make.application(),
      await make.vacancy({ scoring_rules: [{ expression: 'application.id > 0', points: 5 }] }),
    ];
    for (const name of ['run_config_autoscoring', '_run_config_autoscoring', '__run_config_autoscoring']) {
      const answer = await copy('1.5', { id }, { vacancy_id: scored.id, [name]: true });
      expect([answer.status, answer.violations]).toEqual([422, [`invalid /${name}`]]);
    }
    expect((await copy('1.5', { id }, { vacancy_id: scored.id })).item['score']).toBeNull();
    const again = await make.application();
    expect((await copy('1.6', again, { opp_id: scored.id, run_config_autoscoring: true })).item['score']).toBe(5);
  });

  test('reports violations with the old property name in path and info', async () => {
    const [source, draft] = [await make.application(), await make.vacancy({ state: 'draft' })];
    const taken = source['opportunity_id'];
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [{}, ['missing /vacancy_id']],
      [{ vacancy_id: null }, ['missing /vacancy_id']],
      [{ vacancy_id: 'x' }, ['invalid /vacancy_id']],
      [{ vacancy_id: 987_654_321 }, ['invalid /vacancy_id']],
      [{ vacancy_id: draft.id }, ['opportunity_not_open /vacancy_id']],
      [{ vacancy_id: taken }, ['already_exists /vacancy_id']],
      [
        { vacancy_id: { opp_id: 1 }, bogus: 1, 'opp_id/x': 1, '': 1, toString: 1, constructor: 1 },
        ['/vacancy_id', '/bogus', '/opp_id~1x', '/', '/toString', '/constructor'].map((path) => `invalid ${path}`),
      ],
    ];
    for (const [body, violations] of cases) {
      const [before, after] = [await copy('1.5', source, body), await copy('1.6', source, renamed(body))];
      expect([before.status, before.violations]).toEqual([422, violations]);
      expect(after.violations).toEqual(violations.map((violation) => violation.replace('/vacancy_id', '/opp_id')));
      expect((before.problem.errors ?? []).map(({ info }) => info)).toEqual(
        (after.problem.errors ?? []).map(({ info }) => info?.replace('"opp_id"', '"vacancy_id"')),
      );
      for (const { info = '' } of before.problem.errors ?? []) expect(info).not.toContain('opp_id');
    }
    expect((await copy('1.5', { id: 987_654_321 }, { vacancy_id: draft.id })).status).toBe(404);
  });

  test.each([
    ['nothing', undefined, 400],
    ['a list', [], 422],
    ['a number', 7, 422],
    ['a text', 'opp_id', 422],
    ['null', null, 422],
  ])('rejects the body with %s', async (_, body, status) => {
    const application = await make.application();
    const [before, after] = [await copy('1.5', application, body), await copy('1.9', application, body)];
    expect([before.status, before.problem.errors]).toEqual([
      status,
      after.problem.errors?.map((error) => ({ ...error, path: error.path.replace('opp_id', 'vacancy_id') })),
    ]);
  });

  test('counts as the same request for an Idempotency-Key under either name', async () => {
    const [source, target, headers] = [await make.application(), await make.vacancy(), { 'idempotency-key': 'copy' }];
    const first = await copy('1.5', source, { vacancy_id: target.id }, headers);
    const again = await copy('1.9', source, { opp_id: target.id }, headers);
    expect([first.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, first.text, 'true']);
    expect((await copy('1.9', source, { vacancy_id: target.id }, headers)).violations).toEqual([
      'idempotency_mismatch ',
    ]);
  });

  test('answers 403 for a missing scope before it checks the body', async () => {
    const token = await make.token('*:read');
    const { status } = await api.post(
      `/applications/${(await make.application()).id}/copy`,
      { opp_id: 'x' },
      { token, headers: { 'api-version': '1.2' } },
    );
    expect(status).toBe(403);
  });
});

const renamed = (body: unknown): unknown => {
  const { vacancy_id, ...rest } = body as Partial<Item>;
  return { ...rest, ...(vacancy_id !== undefined && { opp_id: vacancy_id }) };
};
