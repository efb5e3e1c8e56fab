import { runStatement, type Transaction } from '@ats/postgres';
import { describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { useTestDatabase } from '../../test/test-database.js';
import { jobBoards } from '../objects/job-board.model.js';
import { readItem } from '../reading/read-item.js';
import { entitySchemas } from './entities.js';
import { insertObject, replaceObject } from './write-object.js';
import { type WriteBody } from './write-schema.js';

const own = useTestDatabase({ entities: entitySchemas() });
const settings = { baseUrl: 'https://ats.example.com', language: 'en' };

const updatesIn = async (transaction: Transaction): Promise<number> => {
  const [row] = await runStatement<{ updates: number }>(
    transaction,
    `SELECT n_tup_upd::integer AS updates FROM pg_stat_xact_user_tables WHERE relname = 'job_boards'`,
  );
  return row?.updates ?? 0;
};

let boards = 0;

/** Replaces a job board with the name "Board". The body gets the code of the job board. */
const replaced = (values: WriteBody) =>
  own.database.transaction(async (transaction) => {
    boards += 1;
    const code = `board_${boards}`;
    const body = { ...values, code };
    const id = await insertObject(transaction, jobBoards, { name: 'Board', code });
    await runStatement(transaction, `UPDATE job_boards SET updated_dt = '2026-01-01' WHERE id = $1`, [id]);
    const before = await updatesIn(transaction);
    const { changes, text } = await replaceObject(transaction, jobBoards, { id, body }, settings);
    const shown = await readItem(transaction, jobBoards, id, settings);
    return { changes, text, shown, updates: (await updatesIn(transaction)) - before };
  });

describe('replaceObject', () => {
  it.each<[string, WriteBody, string]>([
    ['a changed text', { name: 'New' }, '/name'],
    ['a changed boolean', { name: 'Board', is_public: true }, '/is_public'],
  ])('writes the row once for %s, and returns the new representation', async (_title, body, path) => {
    const { changes, text, shown, updates } = await replaced(body);
    expect(changes.map((change) => change.path)).toEqual([path]);
    expect(updates).toBe(1);
    expect(text).toBe(shown);
    expect(shown).not.toContain('"updated_dt":"2026-01-01');
  });

  it('sends one statement when the caller has read the object and the unique code does not change', async () => {
    const sent = await own.database.transaction(async (transaction) => {
      const code = 'given';
      const id = await insertObject(transaction, jobBoards, { name: 'Board', code });
      const present = await readItem(transaction, jobBoards, id, settings);
      const connection = (await transaction.queryRunner?.connect()) as pg.PoolClient;
      const query = jest.spyOn(connection, 'query');
      await replaceObject(transaction, jobBoards, { id, body: { name: 'New', code }, present }, settings);
      const texts = query.mock.calls.map(([statement]) => (statement as unknown as { readonly text: string }).text);
      query.mockRestore();
      return texts;
    });
    expect(sent).toEqual([expect.stringMatching(/^WITH changed AS \(UPDATE job_boards .* SELECT /s)]);
  });

  it('sets updated_dt after a change that only the new representation shows', async () => {
    const { changes, text, shown, updates } = await replaced({
      name: 'Board',
      base_url: 'https://jobs.example.com',
    });
    expect(changes).toHaveLength(1);
    expect([text, updates]).toEqual([undefined, 2]);
    expect(shown).not.toContain('"updated_dt":"2026-01-01');
  });

  it('keeps updated_dt when the body changes nothing', async () => {
    const { changes, text, shown } = await replaced({ name: 'Board' });
    expect(changes).toEqual([]);
    expect(text).toBe(shown);
    expect(shown).toContain('"updated_dt":"2026-01-01');
  });
});
