// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { without } from '../../src/versions/reshape.js';
import { type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { type OpenApiDocument } from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface Entry extends Item {
  readonly date: string;
}
const at = (version: string): RequestOptions => ({ headers: { 'api-version': version } });
const textOf = async (version: string, path: string): Promise<string> =>
  expectStatus(200, await api.get(path, at(version))).text;
const older = (entry: Entry): object => ({
  ...without(entry, 'type'),
  date: entry.date.replace('T', ' ').replace(/\.\d{3}Z$/, ''),
});

describe('below 1.7, a history', () => {
  test('is a bare array without type and with dates without zone, on every path', async () => {
    const posting = await make.posting();
    const application = await make.application({ opportunity_id: (posting['vacancy'] as Item).id });
    const registration = await make.eventApplication();
    expectStatus(
      200,
      await api.put(`${below(application.url)}/process_state`, { state: 'in_review', comment: '"type":"x"' }),
    );
    const routes = new Set(
      api.routes
        .filter(({ method, url }) => method === 'GET' && url.endsWith('/history'))
        .map(({ url }) => url.slice('/api/v1'.length)),
    );
    const ids: Readonly<Record<string, number>> = {
      applications: application.id,
      vacancy_applications: application.id,
      event_applications: registration.id,
      event_registrations: registration.id,
      candidates: (application['candidate'] as Item).id,
      vacancies: (posting['vacancy'] as Item).id,
      events: (registration['opportunity'] as Item).id,
      postings: posting.id,
    };
    expect(routes.size).toBe(12);
    for (const route of routes) {
      const path = route.replace(':id', String(ids[route.split('/')[1] ?? '']));
      const [before, after] = [
        JSON.parse(await textOf('1.6', path)) as unknown,
        JSON.parse(await textOf('1.7', path)) as { readonly items: readonly Entry[]; readonly has_more: boolean },
      ];
      expect(after.has_more).toBe(false);
      expect(after.items.length).toBeGreaterThan(0);
      expect(before).toEqual(after.items.map(older));
    }
  });

  test('has exactly the documented bodies in 1.6 and 1.7', async () => {
    const vacancy = await make.vacancy();
    await api.database.query(
      `UPDATE history_entries SET date = '2026-02-03T04:05:06.789Z' WHERE subject_type = 'opportunity' AND subject_id = $1`,
      [vacancy.id],
    );
    const path = `/vacancies/${vacancy.id}/history`;
    const subject = { id: vacancy.id, url: vacancy.url };
    expect(JSON.parse(await textOf('1.7', path))).toMatchObject({
      items: [{ type: 'created', date: '2026-02-03T04:05:06.789Z', subject }],
      has_more: false,
    });
    expect(JSON.parse(await textOf('1.6', path))).toEqual([
      {
        id: expect.any(Number),
        date: '2026-02-03 04:05:06',
        user: expect.any(Object),
        subject,
        from: null,
        to: expect.any(Object),
        comment: null,
        changes: null,
      },
    ]);
  });

  test('keeps numbers of any precision and all texts unchanged', async () => {
    const vacancy = await make.vacancy();
    const changes =
      '[{"path": "/a", "old": 12345678901234567890.12345678901234567890, "new": 1.50}, {"path": "/b", "old": "\\u0001 \\"type\\": 1e400 👍", "new": {"type": "x", "date": "y", "2": 1, "1": 9007199254740993}}]';
    await api.database.query(
      `UPDATE history_entries SET changes = $2 WHERE subject_type = 'opportunity' AND subject_id = $1`,
      [vacancy.id, changes],
    );
    const path = `/vacancies/${vacancy.id}/history`;
    const [before, after] = [await textOf('1.6', path), await textOf('1.7', path)];
    for (const number of ['12345678901234567890.12345678901234567890', '1.50', '9007199254740993'])
      expect([before, after].map((text) => text.includes(number))).toEqual([true, true]);
    expect((JSON.parse(before) as readonly Entry[])[0]?.['changes']).toEqual(
      (JSON.parse(after) as { readonly items: readonly Entry[] }).items[0]?.['changes'],
    );
  });

  test('is paged with the same parameters; an empty history is an empty array', async () => {
    const application = await make.application();
    for (const state of ['in_review', 'interview', 'assessment'])
      expectStatus(200, await api.put(`${below(application.url)}/process_state`, { state }));
    const path = `/applications/${application.id}/history`;
    const all = JSON.parse(await textOf('1.6', path)) as readonly Entry[];
    const first = JSON.parse(await textOf('1.6', `${path}?per_page=3`)) as readonly Entry[];
    const rest = JSON.parse(await textOf('1.6', `${path}?before_id=${first.at(-1)?.id}`)) as readonly Entry[];
    expect([first.length, [...first, ...rest]]).toEqual([3, all]);
    expect(await textOf('1.6', '/applications/history?since_id=999999999')).toBe('[]');
  });

  test('is documented without `has_more` below 1.7', async () => {
    const describedAt = async (version: string): Promise<readonly string[]> =>
      Object.entries(((await api.request('GET', `/openapi.json?version=${version}`)).json as OpenApiDocument).paths)
        .filter(([path]) => path.endsWith('/{id}/history'))
        .map(([, { get }]) => String(get?.description));
    const [before, after] = [await describedAt('1.6'), await describedAt('1.7')];
    expect([before.length, after.length]).toEqual([6, 6]);
    // The rules are described at the first operation only. The other operations refer to it.
    const first = /The rules are those of \[applications.get_history\]/;
    const [older = '', ...olderOthers] = before;
    expect(older).toContain('Until a page has fewer entries than `per_page`, send the id of the last entry as');
    const [newer = '', ...newerOthers] = after;
    expect(newer).toContain('`has_more` is true');
    for (const text of [...olderOthers, ...newerOthers]) expect(text).toMatch(first);
  });

  test('answers failed requests with normal error bodies', async () => {
    const answers = [
      await api.get('/applications/987654321/history', at('1.6')),
      await api.get('/applications/history?x=1', at('1.6')),
    ];
    expect(answers.map(({ status, problem }) => [status, typeof problem.message])).toEqual([
      [404, 'string'],
      [400, 'string'],
    ]);
  });
});
