// @group alone: it moves the clock of the module that keeps the closed lists
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { openDocument } from '../support/answer-checker.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

/** The statements of docs/reference/states.md, "Own processes and states": a state, a process, and the check. */
const page = readFileSync(join(__dirname, '../../../../docs/reference/states.md'), 'utf8');
const [ownState = '', ownProcess = '', mistakes = ''] = [...page.matchAll(/^```sql\n([^]*?)^```$/gm)].map(
  ([, text]) => text,
);
const run = async (text: string): Promise<void> => {
  for (const statement of text.split(/;$/m)) if (statement.trim()) await api.database.query(statement);
};

/** A vacancy in the process `main`, and one in the process that the page adds. */
let usual: Item;
let board: Item;
/** An application in the state that the page adds, and one in the first state of the added process. */
let checked: Item;
let listed: Item;

const move = (item: Item, state: string) => api.put(`/vacancy_applications/${item.id}/process_state`, { state });
const search = (condition: string): string => `/vacancy_applications?search=${encodeURIComponent(condition)}`;

beforeAll(async () => {
  usual = await make.vacancy();
  board = await make.vacancy({ department: 'Board' });
  // The API keeps the lists from before the rows were added.
  expect((await api.get(search('/process_state/state=reference_check'))).status).toBe(400);
  await run(ownState);
  await run(ownProcess);
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_001);
  checked = await make.application({ opportunity_id: usual.id });
  for (const state of ['interview', 'reference_check']) expectStatus(200, await move(checked, state));
  listed = await make.application({ opportunity_id: board.id });
});
afterAll(() => void jest.restoreAllMocks());

describe('states and processes that an operator added', () => {
  test('have no mistakes, and the check finds each of them', async () => {
    expect(await api.database.query(mistakes)).toEqual([]);
    for (const [statement, place] of [
      ['UPDATE states SET is_initial = true WHERE id = 1002', 'executive'],
      [`UPDATE states SET state = 'On list' WHERE id = 1001`, 'executive/On list'],
      ['UPDATE states SET is_terminal = true WHERE id = 1000', 'main/reference_check'],
      ['UPDATE states SET outcome = NULL WHERE id = 1000', 'main/reference_check'],
      [
        'INSERT INTO state_moves (from_state_id, to_state_id, position) VALUES (1000, 1001, 11)',
        'main/reference_check',
      ],
    ] as const)
      await api.database
        .transaction(async (transaction) => {
          await transaction.query(statement);
          expect(await transaction.query(mistakes)).toEqual([{ place, mistake: expect.any(String) }]);
          throw new Error('undo');
        })
        .catch((error: unknown) => expect(error).toMatchObject({ message: 'undo' }));
  });

  test('are in the catalogue of processes, in the language of the request', async () => {
    const headers = { 'accept-language': 'de' };
    const processes = (await api.get('/processes', { headers })).json as readonly (Item & {
      states: readonly Item[];
    })[];
    expect(processes.map(({ key }) => key)).toEqual(['main', 'event_application', 'opportunity', 'executive']);
    expect(processes[0]?.states.at(-1)).toMatchObject({
      ...{ id: 1000, key: 'reference_check', name: 'Referenzprüfung', phase: 'screening', outcome: 'pending' },
      next: [{ key: 'offer_made' }, { key: 'rejected' }, { key: 'withdrawn' }],
    });
    expect(processes[3]).toMatchObject({ name: 'Direktsuche' });
    expect(processes[3]?.states.map(({ key, is_initial }) => [key, is_initial])).toEqual([
      ['longlisted', true],
      ['shortlisted', false],
      ['placed', false],
      ['not_placed', false],
    ]);
    // A language without a name shows the name in the default language.
    const { item } = await api.get(`/processes/${processes[3]?.id}`, { headers: { 'accept-language': 'fr' } });
    expect(item['name']).toBe('Executive search');
  });

  test('are shown and moved like others, in the schema of the OpenAPI document', async () => {
    const { document, checker } = await openDocument(api, make);
    const schema = document.components.schemas['applications'] ?? {};
    for (const { id } of [checked, listed]) {
      const { item } = await api.get(`/vacancy_applications/${id}`);
      expect(checker.violationsOfValue(schema, item)).toEqual([]);
    }
    expect(listed['process_state']).toMatchObject({ state: 'longlisted', name: 'On the long list', phase: 'new' });
    const refused = await move(listed, 'placed');
    expect(refused.violations).toEqual(['invalid_transition /state']);
    expect(refused.problem.errors?.[0]?.info).toContain('shortlisted, not_placed');
    expect((await move(listed, 'interview')).violations).toEqual(['invalid /state']);
    const placed = await make.application({ opportunity_id: board.id });
    for (const state of ['shortlisted', 'placed']) expectStatus(200, await move(placed, state));
    const { item } = await api.get(`/vacancy_applications/${placed.id}`);
    expect(item).toMatchObject({ outcome: 'hired', hired_dt: expect.any(String) });
  });

  test.each([
    ['/process_state/state=reference_check', () => [checked]],
    ['/process_state/state={longlisted,reference_check}', () => [checked, listed]],
    ['main_process_state.state.name=On the long list', () => [listed]],
    ['application.vacancy.process.key=executive', () => [listed]],
  ])('are found by the search %s', async (condition, expected) => {
    const { items } = await api.get(`${search(condition)}&search=/id={${checked.id},${listed.id}}`);
    expect(items.map(({ id }) => id).sort((one, other) => one - other)).toEqual(expected().map(({ id }) => id));
  });

  test('are found by an expression, by a phase and by the state of a selected opportunity', async () => {
    const where = encodeURIComponent('application.main_process_state.state.state IN ("longlisted", "submitted")');
    expect((await api.get(`/vacancy_applications?where=${where}`)).items.map(({ id }) => id)).toEqual([listed.id]);
    const phase = '/process_state/phase=shortlist';
    expect((await api.get(search(phase))).status).toBe(200);
    expect((await api.get(`/vacancies?search=${encodeURIComponent('/state/phase=shortlist')}`)).status).toBe(400);
  });

  test.each([
    ['/vacancy_applications', '/process_state/state=reference_chek', 'reference_check'],
    ['/vacancy_applications', 'vacancy.process.key=executiv', 'executive'],
    ['/vacancy_applications', '/process_state/phase=shortlst', 'shortlist'],
    ['/vacancies', '/state/state=opn', 'open'],
  ])('are among the nearest values: %s?search=%s', async (path, condition, nearest) => {
    const { status, problem } = await api.get(`${path}?search=${encodeURIComponent(condition)}`);
    expect([status, problem.errors?.[0]?.info]).toEqual([400, expect.stringContaining(nearest)]);
  });

  test('are states of applications, and no states of opportunities', async () => {
    for (const state of ['reference_check', 'longlisted'])
      expect((await api.get(`/vacancies?search=/state/state=${state}`)).status).toBe(400);
  });

  test('are groups of counts', async () => {
    const by = 'main_process_state.state.state';
    const { json } = await api.get(`/vacancy_applications/counts?by=${by}&search=/id={${checked.id},${listed.id}}`);
    expect(json).toEqual(
      expect.arrayContaining([
        { values: { [by]: 'reference_check' }, count: 1 },
        { values: { [by]: 'longlisted' }, count: 1 },
      ]),
    );
  });

  test('are closed values of the catalogue of datapaths', async () => {
    const valuesOf = async (path: string) =>
      ((await api.get(`/datapaths?prefix=${path}`)).json as readonly { path: string; values: unknown }[]).find(
        (entry) => entry.path === path,
      )?.values;
    const states = await valuesOf('application.main_process_state.state.state');
    expect(states).toEqual(expect.arrayContaining(['reference_check', 'longlisted']));
    expect(await valuesOf('vacancy.state.state')).not.toContain('longlisted');
    expect(await valuesOf('vacancy.process.key')).toContain('executive');
  });

  const expression = 'application.main_process_state.state.state == "reference_check"';
  const misspelt = expression.replace('check', 'chek');

  it.each([
    [
      'topics',
      (text: string) => ['/notification_topics', { type: 'STATE_CHANGE_APPLICATION', name: 'T', expression: text }],
    ],
    ['saved searches', (text: string) => ['/saved_searches', { name: 'S', resource: 'applications', where: text }]],
    [
      'scoring rules',
      (text: string) => ['/vacancies', { title: 'V', scoring_rules: [{ expression: text, points: 1 }] }],
    ],
    [
      'forms',
      (text: string) => [
        '/forms',
        {
          ...{ name: 'F', resource: 'applications' },
          sections: [{ name: 'S', items: [{ key: 'a', label: 'A', type: 'text', visible_if: text }] }],
        },
      ],
    ],
  ] as const)('can be named in %s', async (_, bodyOf) => {
    const [path, body] = bodyOf(expression) as [string, object];
    expectStatus(201, await api.post(path, body));
    const [, wrong] = bodyOf(misspelt) as [string, object];
    const { status, problem } = await api.post(path, wrong);
    expect([status, problem.errors?.[0]?.info]).toEqual([422, expect.stringContaining('reference_check')]);
  });

  test('are matched by a preview of a topic', async () => {
    const body = { type: 'STATE_CHANGE_APPLICATION', expression };
    const { json } = expectStatus(200, await api.post('/notification_topics/objects/preview', body));
    expect(json).toMatchObject({ count: 1, items: [{ id: checked.id }] });
  });
});
