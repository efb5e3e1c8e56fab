import { runStatement, type Transaction } from '@ats/postgres';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { useTestDatabase } from '../../test/test-database.js';
import { jobBoards } from '../objects/job-board.model.js';
import { vacancies } from '../objects/opportunity.model.js';
import { candidates } from '../objects/user.model.js';
import { readItem } from '../reading/read-item.js';
import { type RowSource } from '../vocabulary/resource.js';
import { entitySchemas } from './entities.js';
import { setTransactionRequest } from './event/transaction-request.js';
import { insertObject, replaceObject } from './write-object.js';
import { type WriteBody } from './write-schema.js';

const own = useTestDatabase({ entities: entitySchemas() });
const settings = { baseUrl: 'https://ats.example.com', language: 'en' };

// Each event names a recruiter.
beforeAll(async () => {
  await own.database.query(
    `INSERT INTO users (type, firstname, lastname, email) VALUES ('recruiter', 'Grace', 'Hopper', 'grace@example.com')`,
  );
});

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

const inserted = (source: RowSource, body: WriteBody): Promise<number> =>
  own.database.transaction((transaction) => insertObject(transaction, source, body));

const shownItem = (source: RowSource, id: number): Promise<string> =>
  own.database.transaction((transaction) => readItem(transaction, source, id, settings));

async function updateEvents(root: string, id: number): Promise<number> {
  const rows = await own.database.query('SELECT FROM domain_events WHERE type = $1 AND subject_id = $2', [
    `${root.toUpperCase()}_UPDATE`,
    id,
  ]);
  return rows.length;
}

/** Replaces an object that the transaction has read. Returns the texts of the statements, too. */
const replacement = (source: RowSource, id: number, body: WriteBody) =>
  own.database.transaction(async (transaction) => {
    const client = { credentialId: 1, recruiterId: 1, address: '127.0.0.1' };
    setTransactionRequest(transaction, { requestId: null, traceparent: null, client });
    const present = await readItem(transaction, source, id, settings);
    const connection = (await transaction.queryRunner?.connect()) as pg.PoolClient;
    const query = jest.spyOn(connection, 'query');
    const result = await replaceObject(transaction, source, { id, body, present }, settings);
    const sent = query.mock.calls.map(([statement]: readonly unknown[]) =>
      typeof statement === 'string' ? statement : (statement as { readonly text: string }).text,
    );
    query.mockRestore();
    return { ...result, sent };
  });

const ANN = { firstname: 'Ann', lastname: 'Moss' };
const PHONE = { Label: 'mobile', Number: '1' };
const RULE = { expression: 'application.rating > 1', points: 2.5 };

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
    const body = { name: 'Board', code: 'given' };
    const id = await inserted(jobBoards, body);
    const { sent, text } = await replacement(jobBoards, id, { ...body, name: 'New' });
    expect(sent).toEqual([expect.stringMatching(/^WITH changed AS \(UPDATE job_boards .* SELECT /s)]);
    expect(text).toBe(await shownItem(jobBoards, id));
    expect(await updateEvents('job_board', id)).toBe(1);
  });

  it('writes no related rows that stay the same', async () => {
    const body = { ...ANN, email: 'lists@example.com', Phone: [PHONE, { ...PHONE, Label: 'home' }] };
    const id = await inserted(candidates, body);
    const { sent, text } = await replacement(candidates, id, { ...body, lastname: 'Lee' });
    expect(sent).toEqual([expect.stringMatching(/^WITH changed AS \(UPDATE users .* SELECT /s)]);
    expect(text).toBe(await shownItem(candidates, id));
    expect(await updateEvents('candidate', id)).toBe(1);
  });

  it.each<[string, WriteBody, readonly string[]]>([
    ['removed', {}, ['DELETE']],
    ['added', { Phone: [PHONE], Email: [{ Label: 'work', Address: 'ann@example.com' }] }, ['INSERT']],
    ['changed', { Phone: [{ ...PHONE, Number: '2' }] }, ['DELETE', 'INSERT']],
  ])('replaces only the lists of related rows that have %s rows', async (title, lists, expected) => {
    const body = { ...ANN, email: `${title}@example.com` };
    const id = await inserted(candidates, { ...body, Phone: [PHONE] });
    const { sent, changes } = await replacement(candidates, id, { ...body, ...lists });
    const [name] = Object.keys(lists).slice(-1);
    expect(changes.map(({ path }) => path)).toEqual([`/${name ?? 'Phone'}`]);
    expect(sent.filter((text) => /^(DELETE|INSERT)/.test(text)).map((text) => text.slice(0, 6))).toEqual(expected);
    expect(await shownItem(candidates, id)).toContain(JSON.stringify(lists[name ?? ''] ?? []));
    expect(await updateEvents('candidate', id)).toBe(1);
  });

  it('reads the representation of the client with the update when it differs from the compared one', async () => {
    const body = { title: 'Baker', description: '<p>Bakes <b>bread</b></p>', scoring_rules: [RULE] };
    const id = await own.database.transaction((transaction) =>
      insertObject(transaction, vacancies, body, { state_id: 302, process_id: 1 }),
    );
    const { sent, text } = await replacement(vacancies, id, { ...body, title: 'Head baker' });
    expect(sent).toEqual([
      expect.stringMatching(/^SELECT /),
      expect.stringMatching(/^WITH changed AS \(UPDATE opportunities .* SELECT /s),
    ]);
    expect(text).toBe(await shownItem(vacancies, id));
    expect(await updateEvents('vacancy', id)).toBe(1);
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
