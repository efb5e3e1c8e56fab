// @group sample: npm test runs a quarter of its tests
// @group split: npm test begins in a quarter of the states
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { sampleOf } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface Process {
  readonly path: string;
  readonly segment: string;
  readonly resource: string;
  /** The documented moves, in the form `from → to, to; …`. Source: docs/reference/states.md. */
  readonly moves: string;
  readonly make: () => Promise<Item>;
}

/** The documented processes, written independently of the code. Every change must be made both here and in the code. */
const PROCESSES: readonly Process[] = [
  {
    path: 'vacancy_applications',
    segment: 'process_state',
    resource: 'applications',
    moves: `submitted → in_review, interview, on_hold, rejected, withdrawn; in_review → interview, assessment, offer_made, on_hold, rejected, withdrawn;
      assessment → interview, offer_made, on_hold, rejected, withdrawn; interview → assessment, offer_made, on_hold, rejected, withdrawn;
      offer_made → offer_accepted, interview, rejected, withdrawn; offer_accepted → hired, rejected, withdrawn;
      on_hold → in_review, interview, rejected, withdrawn; rejected → in_review; withdrawn → in_review; hired → `,
    make: () => make.application(),
  },
  {
    path: 'event_applications',
    segment: 'process_state',
    resource: 'event_applications',
    moves: `registered → confirmed, waitlisted, declined, cancelled; waitlisted → confirmed, declined, cancelled;
      confirmed → attended, no_show, cancelled; attended → ; no_show → ; declined → ; cancelled → `,
    make: () => make.eventApplication(),
  },
  {
    path: 'vacancies',
    segment: 'state',
    resource: 'vacancies',
    moves: `draft → open, cancelled; open → on_hold, closed, filled, cancelled; on_hold → open, closed, cancelled;
      closed → open, archived; filled → open, archived; cancelled → archived; archived → `,
    make: () => make.vacancy(),
  },
  {
    path: 'events',
    segment: 'state',
    resource: 'events',
    moves: `draft → open, cancelled; open → on_hold, closed, completed, cancelled; on_hold → open, closed, cancelled;
      closed → open, archived; completed → open, archived; cancelled → archived; archived → `,
    make: () => make.event(),
  },
];

const tableOf = (moves: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    moves.split(';').map((row): [string, string[]] => {
      const [from = '', to = ''] = row.split('→').map((part) => part.trim());
      return [from, to === '' ? [] : to.split(', ')];
    }),
  );

const shownOfState = ['state', 'state_id', 'name', 'phase', 'id', 'is_terminal'];
const stateIn = (item: Item): { readonly state: string; readonly state_id: number; readonly entered_dt: string } =>
  (item['process_state'] ?? item['state']) as { state: string; state_id: number; entered_dt: string };

describe.each(PROCESSES)('the states of $path', ({ path, segment, resource, moves, make: makeOne }) => {
  const table = tableOf(moves);
  const states = [...table.keys()];
  const pathOf = (item: Item): string => `/${path}/${item.id}/${segment}`;

  test.each(sampleOf(states))('offer exactly the documented moves from %s', async (from) => {
    const item = await make.inState(from, await makeOne());
    const { allowed, ...state } = (await api.get(pathOf(item))).item as unknown as {
      readonly allowed: readonly { readonly state: string }[];
      readonly state: string;
    };
    expect([state.state, allowed.map((next) => next.state).sort()]).toEqual([
      from,
      [...(table.get(from) ?? [])].sort(),
    ]);
    expect(Object.keys(state)).toEqual([...shownOfState, 'entered_dt']);
    for (const next of allowed) expect(Object.keys(next)).toEqual(shownOfState);
  });

  test.each(sampleOf(states))('allow exactly the documented moves from %s', async (from) => {
    const item = await makeOne();
    const allowed = table.get(from) ?? [];
    for (const to of states) {
      await make.inState(from, item);
      const answer = await api.put(pathOf(item), { state: to });
      const { state } = stateIn((await api.get(`/${path}/${item.id}`)).item);
      if (to === from || allowed.includes(to)) {
        expect([from, to, answer.status, stateIn(answer.item).state, state]).toEqual([from, to, 200, to, to]);
      } else {
        const [violation] = answer.problem.errors ?? [];
        expect([from, to, answer.status, state, violation]).toEqual([
          from,
          to,
          422,
          from,
          { resource, path: '/state', code: 'invalid_transition', info: expect.any(String) },
        ]);
        for (const next of allowed) expect(violation?.info).toContain(next);
      }
    }
  });

  test('accept only the id or key of a state of the same process as a target', async () => {
    const [from = '', targets = []] = [...table].find(([, to]) => to.length > 0) ?? [];
    const item = await make.inState(from, await makeOne());
    const [row] = await api.database.query<{ id: number }>(
      'SELECT id FROM states WHERE state = $1 AND process_id = (SELECT process_id FROM states WHERE id = $2)',
      [targets[0], stateIn(item).state_id],
    );
    const [foreign] = await api.database.query<{ id: number }>(
      'SELECT id FROM states WHERE process_id <> (SELECT process_id FROM states WHERE id = $1) LIMIT 1',
      [stateIn(item).state_id],
    );
    expect((await api.put(pathOf(item), { state_id: foreign?.id })).violations).toEqual(['invalid /state_id']);
    expect(stateIn((await api.put(pathOf(item), { state_id: row?.id })).item).state).toBe(targets[0]);
  });

  test('do not change when the target is the present state, whatever from_state is', async () => {
    const item = await makeOne();
    const before = await api.get(`/${path}/${item.id}`);
    const [historyBefore, eventsBefore] = await countTraces();
    const after = await api.put(pathOf(item), {
      state: stateIn(before.item).state,
      from_state: 'rejected',
      comment: 'again',
    });
    expect([after.status, after.text]).toEqual([200, before.text]);
    expect(await countTraces()).toEqual([historyBefore, eventsBefore]);
  });

  test('reject a from_state that is not the present state', async () => {
    const item = await makeOne();
    const [from, targets] = [...table].find(([, to]) => to.length > 1) ?? [];
    await make.inState(from ?? '', item);
    expect((await api.put(pathOf(item), { state: targets?.[0], from_state: 'elsewhere' })).violations).toEqual([
      'state_conflict /from_state',
    ]);
    expectStatus(200, await api.put(pathOf(item), { state: targets?.[0], from_state: from }));
  });

  test.each([
    [{}, ['missing /state']],
    [{ state: 'unknown' }, ['invalid /state']],
    [{ state: 'Open' }, ['invalid /state']],
    [{ state: 'open\u0000' }, ['invalid /state']],
    [{ state: 1 }, ['invalid /state']],
    [{ state_id: 999_999 }, ['invalid /state_id']],
    [{ state_id: 'x' }, ['invalid /state_id']],
    [{ state: 'open', state_id: 1 }, ['invalid /state_id']],
    [
      { comment: 'x'.repeat(10_001), from_state: 1, x: 1 },
      ['missing /state', 'invalid /from_state', 'invalid /comment', 'invalid /x'],
    ],
    [{ state: 'zzz', comment: 5 }, ['invalid /state', 'invalid /comment']],
    [{ state_id: 999_999, comment: 5, x: 1 }, ['invalid /state_id', 'invalid /comment', 'invalid /x']],
  ])('rejects the body %j', async (body, violations) => {
    const item = await makeOne();
    const answer = await api.put(pathOf(item), body);
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, [...violations].sort()]);
  });

  test.each([{ state: 'Unknown' }, { state: 'zzz', comment: 5 }])(
    'are listed in the violation for the body %j',
    async (body) => {
      const answer = await api.put(pathOf(await makeOne()), body);
      const violation = answer.problem.errors?.find((one) => one.path === '/state');
      for (const state of states) expect(violation?.info).toContain(state);
    },
  );
});

const countTraces = async (): Promise<readonly unknown[]> => {
  const [row] = await api.database.query<{ history: number; events: number }>(
    'SELECT (SELECT count(*) FROM history_entries) AS history, (SELECT count(*) FROM domain_events) AS events',
  );
  return [row?.history, row?.events];
};

describe('the outcome of an application', () => {
  const follow = async (path: string, id: number, states: readonly string[]): Promise<Item> => {
    let item: Item | undefined;
    for (const state of states) item = expectStatus(200, await api.put(`/${path}/${id}/process_state`, { state })).item;
    if (!item) throw new Error('no state to follow');
    return item;
  };

  test.each([
    [['in_review'], { outcome: 'pending', hired_dt: null, rejected_dt: null, withdrawn_dt: null }],
    [['in_review', 'offer_made', 'offer_accepted', 'hired'], { outcome: 'hired', hired_dt: expect.any(String) }],
    [['rejected'], { outcome: 'declined', rejected_dt: expect.any(String), withdrawn_dt: null }],
    [['withdrawn'], { outcome: 'withdrawn', rejected_dt: null, withdrawn_dt: expect.any(String) }],
    [['rejected', 'in_review'], { outcome: 'pending', rejected_dt: null }],
    [['withdrawn', 'in_review'], { outcome: 'pending', withdrawn_dt: null }],
  ])('follows from its states at a vacancy: %j', async (states, expected) => {
    expect(await follow('applications', (await make.application()).id, states)).toMatchObject(expected);
  });

  test.each([
    [['waitlisted'], { outcome: 'pending' }],
    [['confirmed', 'attended'], { outcome: 'attended' }],
    [['confirmed', 'no_show'], { outcome: 'no_show' }],
    [['declined'], { outcome: 'declined', rejected_dt: expect.any(String) }],
    [['cancelled'], { outcome: 'withdrawn', withdrawn_dt: expect.any(String) }],
  ])('follows from its states at an event: %j', async (states, expected) => {
    expect(await follow('event_applications', (await make.eventApplication()).id, states)).toMatchObject(expected);
  });

  test('changes updated_dt and entered_dt with the state', async () => {
    const item = await make.application();
    const moved = await follow('applications', item.id, ['in_review']);
    expect(stateIn(moved).entered_dt > stateIn(item).entered_dt).toBe(true);
    expect(moved['updated_dt']).toBe(stateIn(moved).entered_dt);
  });
});
