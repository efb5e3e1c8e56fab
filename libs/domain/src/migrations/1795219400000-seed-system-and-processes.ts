import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { isLiveState, PROCESS_SEEDS, type ProcessSeed } from '../rules/process/processes.js';

/** What every installation needs before its first request: the system, the processes, and who acts when nobody does. */
export class SeedSystemAndProcesses1795219400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT INTO systems (id, name, domain, environment, languages, default_language, timezone)
       VALUES (1, 'Recruitment', 'localhost.localdomain', 'production', '{en,de,fr,es,ar}', 'en', 'UTC')`,
    );
    await runner.query(`SELECT setval(pg_get_serial_sequence('systems', 'id'), 1)`);
    for (const process of PROCESS_SEEDS) await insertProcess(runner, process);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM state_moves');
    await runner.query('DELETE FROM states');
    await runner.query('DELETE FROM processes');
    await runner.query('DELETE FROM systems WHERE id = 1');
  }
}

async function insertProcess(runner: QueryRunner, process: ProcessSeed): Promise<void> {
  await runner.query('INSERT INTO processes (id, key, name) VALUES ($1, $2, $3)', [
    process.id,
    process.key,
    process.name,
  ]);
  const stateId = (state: string): number => {
    const index = process.states.findIndex((candidate) => candidate.state === state);
    if (index < 0) throw new Error(`process ${process.key} has no state ${state}`);
    return process.id * 100 + index + 1;
  };
  for (const { state, name, phase, outcome, next } of process.states) {
    await runner.query(
      `INSERT INTO states (id, process_id, state, name, phase, outcome, is_live, is_terminal, is_initial)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        stateId(state),
        process.id,
        state,
        name,
        phase,
        outcome ?? null,
        isLiveState(state),
        next.length === 0,
        state === process.states[0]?.state,
      ],
    );
  }
  for (const from of process.states) {
    for (const [position, move] of from.next.entries()) {
      const [to, kind] = typeof move === 'string' ? [move, null] : [move.state, move.kind];
      await runner.query(
        'INSERT INTO state_moves (from_state_id, to_state_id, opportunity_kind, position) VALUES ($1, $2, $3, $4)',
        [stateId(from.state), stateId(to), kind, position],
      );
    }
  }
}
