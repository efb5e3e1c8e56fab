import { beforeAll, describe, expect, test } from '@jest/globals';
import { BASE_URL } from '../support/api-harness.js';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface State {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly is_initial: boolean;
  readonly is_terminal: boolean;
  readonly next: readonly { readonly id: number; readonly key: string; readonly opportunity_kind: string | null }[];
}
interface Process {
  readonly id: number;
  readonly key: string;
  readonly states: readonly State[];
}

/** All kinds of items with a state. Each has the name of its process, the path of its state, and a new item. */
const KINDS: readonly [process: string, kind: string | null, segment: string, make: () => Promise<Item>][] = [
  ['main', null, 'process_state', () => make.application()],
  ['event_application', null, 'process_state', () => make.eventApplication()],
  ['opportunity', 'vacancy', 'state', () => make.vacancy({ state: 'draft' })],
  ['opportunity', 'event', 'state', () => make.event({ state: 'draft' })],
];

let processes: readonly Process[];
let scopeless: string;
beforeAll(async () => {
  scopeless = await make.scopelessToken();
  processes = (await api.get('/processes', { token: scopeless })).json as readonly Process[];
});

describe('GET /processes', () => {
  test('lists all processes and reads each of them', async () => {
    expect(processes.map(({ key }) => key)).toEqual(['main', 'event_application', 'opportunity']);
    for (const process of processes) {
      const { status, item } = await api.get(`/processes/${process.id}`, { token: scopeless });
      expect([status, item]).toEqual([200, { ...process, url: `${BASE_URL}/api/v1/processes/${process.id}` }]);
    }
    expect((await api.get('/processes/999')).status).toBe(404);
  });

  test.each(KINDS)('has the states and moves of items in the process %s (%s)', async (key, kind, segment, makeOne) => {
    const states = processes.find((process) => process.key === key)?.states ?? [];
    const item = await makeOne();
    const path = `${String(item['url']).slice(`${BASE_URL}/api/v1`.length)}/${segment}`;
    expect((await api.get(path)).item).toMatchObject({ id: states.find(({ is_initial }) => is_initial)?.id });
    for (const { next, ...state } of states) {
      await make.inState(state.key, item);
      const { allowed, ...current } = (await api.get(path)).item as unknown as { allowed: readonly Item[] };
      const possible = next.filter(({ opportunity_kind: only }) => only === null || only === kind);
      expect(allowed.map(({ id, state: to }) => [id, to])).toEqual(possible.map(({ id, key: to }) => [id, to]));
      expect(current).toMatchObject({
        id: state.id,
        state_id: state.id,
        state: state.key,
        name: state.name,
        is_terminal: next.length === 0,
      });
      expect(state.is_terminal).toBe(next.length === 0);
    }
  });

  test('names states in the language of the request', async () => {
    const { json, headers } = await api.get('/processes', { headers: { 'accept-language': 'de' } });
    const [german] = json as readonly Process[];
    expect([headers['content-language'], german?.states[0]?.name]).toEqual(['de', 'Eingegangen']);
  });
});

test.each(['/process_state/id', '/process_state/is_terminal', 'main_process_state.state.is_terminal'])(
  'applications can be searched by the value %s of the catalogue',
  async (key) => {
    const item = await make.application();
    const { id } = item['process_state'] as Item;
    const value = key.endsWith('is_terminal') ? 'false' : String(id);
    expect((await api.get(`/applications?search=${key}=${value}&search=/id=${item.id}`)).items).toHaveLength(1);
    expect((await api.get(`/applications?search=${key}!=${value}&search=/id=${item.id}`)).items).toHaveLength(0);
  },
);
