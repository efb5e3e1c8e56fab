import { expect } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { ownMsOf } from '../support/own-time.js';
import { type ReplicaPair, until } from './replica-pair.js';

let boards = 0;

/** Returns the body of a new job board with a unique code. */
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

/**
 * Runs a scenario that expects reads from the replica. Repeats a failed attempt if a process read from the primary
 * because the machine was too busy to probe the replica in time.
 */
export async function whileReplicaIsProbed(pair: ReplicaPair, scenario: () => Promise<void>): Promise<void> {
  const missed = (): string =>
    pair.processes
      .map(({ replica }) => `${replica.measures.fallbacks.down} ${replica.measures.fallbacks.lagging}`)
      .join();
  for (;;) {
    const before = missed();
    try {
      return await scenario();
    } catch (error) {
      if (missed() === before) throw error;
    }
  }
}

/** Maximum duration in ms of the first answers after the replica has failed. */
const QUICKLY_MS = 2_000;

/** Expects that all clients get current answers, and that the first answers come quickly. */
export async function expectPrimary(pair: ReplicaPair): Promise<void> {
  for (const process of pair.processes) {
    const { code } = await pair.first.post(pair.writer, '/job_boards', board());
    const ms = await ownMsOf(async () => {
      expect((await process.boards(pair.writer)).codes).toContain(code);
      const others = await process.boards(pair.reader);
      if (process.replica.refusal === undefined) expect(others.total).toBe(others.codes.length);
    });
    expect(ms).toBeLessThan(QUICKLY_MS);
  }
  await pair.untilPrimaryIsRead();
  const { code } = await pair.first.post(pair.writer, '/job_boards', board());
  for (const process of pair.processes) expect((await process.boards(pair.reader)).codes).toContain(code);
  await until(() => Promise.resolve(!pair.first.replica.measures.isUp));
  expectStatus(200, await pair.first.get(pair.reader, '/me'));
}

/** Expects that a client reads its own writes at once, no matter which process made them. */
export async function expectOwnWrites(pair: ReplicaPair): Promise<void> {
  for (const { writing, reading } of pair.ways) {
    // The credential must be new: the position of an earlier write would already send its reads to the primary.
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
