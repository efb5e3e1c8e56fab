// @group alone: it moves the clock of the module that keeps the lists
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { parseDatapath, resolveDatapath } from '@ats/datapath';
import { useTestDatabase } from '../../test/test-database.js';
import { KNOWN_PHASES, KNOWN_PROCESSES } from '../objects/state.model.js';
import { modelForNewTexts } from './closed-values.js';

const own = useTestDatabase();
afterEach(() => void jest.restoreAllMocks());

let statements = 0;
const run = (text: string, parameters: readonly unknown[]): Promise<Record<string, unknown>[]> => {
  statements++;
  return own.database.query(text, parameters);
};

/** Returns the closed list of a datapath. */
async function valuesAt(datapath: string): Promise<readonly string[] | undefined> {
  const model = await modelForNewTexts(run, [datapath]);
  return resolveDatapath(parseDatapath(datapath, model), model, datapath.split('.')[0] ?? '').values;
}

const clock = performance.now.bind(performance);
let advancedMs = 0;

/** Moves the clock of the kept lists, so that they are read again. */
function passMinute(): void {
  advancedMs += 60_001;
  jest.spyOn(performance, 'now').mockImplementation(() => clock() + advancedMs);
}

const addState = (id: number, process: string, state: string, phase: string): Promise<unknown> =>
  own.database.query(
    `INSERT INTO states (id, process_id, state, name, phase, outcome)
     SELECT $1, id, $3, '{"en": "New"}', $4, 'pending' FROM processes WHERE key = $2`,
    [id, process, state, phase],
  );

const OF_APPLICATIONS = 'application.main_process_state.state';

describe('closed lists that consist of rows', () => {
  it('have the values of the processes that a relation can lead to, in the order of their ids', async () => {
    const keysOf = (...processes: readonly (keyof typeof KNOWN_PHASES)[]): readonly string[] => [
      ...new Set(processes.flatMap((process) => Object.keys(KNOWN_PHASES[process]))),
    ];
    expect(await valuesAt(`${OF_APPLICATIONS}.state`)).toEqual(keysOf('main', 'event_application'));
    expect(await valuesAt('vacancy.state.state')).toEqual(keysOf('opportunity'));
    expect(await valuesAt('application.opportunity.state.state')).toEqual(keysOf('opportunity'));
    expect(await valuesAt('event.state.phase')).toEqual([...new Set(Object.values(KNOWN_PHASES.opportunity))]);
    expect(await valuesAt('vacancy.process.key')).toEqual(KNOWN_PROCESSES);
    expect(await valuesAt('application.source')).toBeUndefined();
  });

  it('are read by one statement a minute, and only for texts that name them', async () => {
    passMinute();
    statements = 0;
    await modelForNewTexts(run, ['application.rating >= 4', '/outcome=hired']);
    expect(statements).toBe(0);
    for (const name of ['state', 'phase', 'state']) await valuesAt(`${OF_APPLICATIONS}.${name}`);
    for (const name of ['state.state', 'process.key']) await valuesAt(`vacancy.${name}`);
    expect(statements).toBe(1);
    passMinute();
    await valuesAt(`${OF_APPLICATIONS}.phase`);
    expect(statements).toBe(2);
  });

  it('have a state that was added at most a minute later, without a restart', async () => {
    expect(await valuesAt(`${OF_APPLICATIONS}.state`)).not.toContain('reference_check');
    await addState(1000, 'main', 'reference_check', 'references');
    await addState(1001, 'opportunity', 'approved', 'approval');
    await own.database.query(`INSERT INTO processes (id, key, name) VALUES (1000, 'executive', '{"en": "Executive"}')`);
    await addState(1002, 'executive', 'longlisted', 'list');
    passMinute();
    expect((await valuesAt(`${OF_APPLICATIONS}.state`))?.slice(-2)).toEqual(['reference_check', 'longlisted']);
    expect((await valuesAt(`${OF_APPLICATIONS}.phase`))?.slice(-2)).toEqual(['references', 'list']);
    expect((await valuesAt('vacancy.state.state'))?.at(-1)).toBe('approved');
    expect((await valuesAt('event.state.phase'))?.at(-1)).toBe('approval');
    expect((await valuesAt('event.process.key'))?.at(-1)).toBe('executive');
  });
});
