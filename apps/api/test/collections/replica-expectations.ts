import { expect } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { type ReplicaPair } from './replica-pair.js';

let boards = 0;

/** The body of a new job board with a unique code. */
export const board = (): { readonly name: string; readonly code: string } => ({
  name: 'Board',
  code: `replica-${++boards}`,
});

/** Runs `work` while the replica replays no commits. */
export async function whileReplayIsPaused(pair: ReplicaPair, work: () => Promise<void>): Promise<void> {
  await pair.untilReplicaIsRead();
  await pair.server.pauseReplay();
  try {
    await work();
  } finally {
    await pair.server.resumeReplay();
  }
}

/** Maximum duration of the first answers after the replica fails, in milliseconds. */
const QUICKLY_MS = 2_000;

/** Expects that all clients get current answers, and that the first answers come quickly. */
export async function expectPrimary(pair: ReplicaPair): Promise<void> {
  for (const process of pair.processes) {
    const { code } = await pair.first.post(pair.writer, '/job_boards', board());
    const began = performance.now();
    const [own, others] = [await process.boards(pair.writer), await process.boards(pair.reader)];
    expect(performance.now() - began).toBeLessThan(QUICKLY_MS);
    expect(own.codes).toContain(code);
    if (process.replica.refusal !== undefined) continue;
    expect(others.total).toBe(others.codes.length);
  }
  await pair.untilPrimaryIsRead();
  const { code } = await pair.first.post(pair.writer, '/job_boards', board());
  for (const process of pair.processes) expect((await process.boards(pair.reader)).codes).toContain(code);
  expect(pair.first.replica.measures.isUp).toBe(false);
  expectStatus(200, await pair.first.get(pair.reader, '/me'));
}

/** Expects that a client reads its own writes at once, whichever process made them. */
export async function expectOwnWrites(pair: ReplicaPair): Promise<void> {
  for (const { writing, reading } of pair.ways) {
    // The credential is new, because the position of an earlier write would already send its reads to the primary.
    const { token } = await pair.make.credential({ scopes: ['*:read', '*:write'] });
    const { code } = await writing.post(token, '/job_boards', board());
    expect((await reading.boards(token)).codes).toContain(code);
  }
}

/** Inserts a copy of an event in a transaction that stays open until `commit`. */
export async function addEvent(
  pair: ReplicaPair,
  like: number,
): Promise<{ readonly id: number; readonly commit: () => Promise<unknown> }> {
  const client = await pair.api.database.pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO domain_events
     SELECT (jsonb_populate_record(
       e, jsonb_build_object('id', nextval(pg_get_serial_sequence('domain_events', 'id')))
     )).*
     FROM domain_events e WHERE id = $1 RETURNING id`,
    [like],
  );
  return { id: rows[0]?.id ?? 0, commit: () => client.query('COMMIT').finally(() => client.release()) };
}
