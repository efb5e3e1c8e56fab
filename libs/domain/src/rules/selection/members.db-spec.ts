import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
// A collection is known only after its model was imported. This import loads all models.
import '../../index.js';
import { jobBoards } from '../../objects/job-board.model.js';
import { tableOf } from '../../reading/representation-sql.js';
import { collectionNames, findResource } from '../../vocabulary/resource.js';
import { addMember, lockItems } from './members.js';

const own = useTestDatabase();

const tables = [...new Set(collectionNames().map((name) => tableOf((findResource(name) ?? raise(name)).type)))].sort();

/** Resolves when a statement of this database waits for a lock. */
async function untilLockIsAwaited(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await own.database.query(waiting)).length === 0);
}

function raise(name: string): never {
  throw new Error(`there is no collection ${name}`);
}

describe('a deleted item leaves its selections', () => {
  it('by a trigger, which every table of a collection has', async () => {
    const rows = await own.database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
       WHERE p.proname = 'leave_selections' AND t.tgname = 'tr_' || c.relname || '_leave_selections' AND t.tgenabled = 'O' ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(tables);
  });

  it('when one statement deletes many rows of several selections', async () => {
    await own.database.query(`
      INSERT INTO job_boards (id, name, code) SELECT id, 'Board', 'board-' || id FROM generate_series(1, 9) id;
      INSERT INTO users (id, type, firstname, lastname, email) VALUES (2, 'candidate', 'A', 'B', 'a@example.com');
      INSERT INTO selections (id, name, resource, updated_dt) VALUES
        (1, 'All', 'job_boards', '2020-01-01'), (2, 'Few', 'job_boards', '2020-01-01'), (3, 'Others', 'job_boards', '2020-01-01'), (4, 'People', 'users', '2020-01-01');
      INSERT INTO selection_members SELECT 1, 'job_boards', id FROM generate_series(1, 9) id;
      INSERT INTO selection_members VALUES (2, 'job_boards', 1), (2, 'job_boards', 2), (3, 'job_boards', 9), (4, 'users', 2);
      UPDATE selections SET updated_dt = '2020-01-01'`);
    await own.database.query('DELETE FROM job_boards WHERE id < 4');
    const members = await own.database.query<{ selection_id: number; ids: number[] }>(
      'SELECT selection_id, array_agg(member_id::integer ORDER BY member_id) AS ids FROM selection_members GROUP BY 1 ORDER BY 1',
    );
    expect(members).toEqual([
      { selection_id: 1, ids: [4, 5, 6, 7, 8, 9] },
      { selection_id: 3, ids: [9] },
      { selection_id: 4, ids: [2] },
    ]);
    const selections = await own.database.query(
      `SELECT id, member_count, updated_dt > '2020-01-02' AS moved FROM selections ORDER BY id`,
    );
    expect(selections).toEqual([
      { id: 1, member_count: 6, moved: true },
      { id: 2, member_count: 0, moved: true },
      { id: 3, member_count: 1, moved: false },
      { id: 4, member_count: 1, moved: false },
    ]);
  });

  it('when it is deleted while another transaction adds it to the selection', async () => {
    await own.database.query(`
      INSERT INTO job_boards (id, name, code) VALUES (201, 'Board', 'board-201');
      INSERT INTO selections (id, name, resource) VALUES (6, 'Late', 'job_boards')`);
    const members = { selectionId: 6, source: jobBoards, viewerId: 0 };
    let deletion: Promise<unknown> = Promise.resolve();
    await own.database.transaction(async (transaction) => {
      expect([...(await lockItems(transaction, members, [201, 202]))]).toEqual([201]);
      await addMember(transaction, members, 201);
      deletion = own.database.query('DELETE FROM job_boards WHERE id = 201');
      await Promise.race([deletion, untilLockIsAwaited()]);
    });
    await deletion;
    expect(
      await own.database.query(
        'SELECT member_count, (SELECT count(*) FROM selection_members WHERE selection_id = 6) AS counted FROM selections WHERE id = 6',
      ),
    ).toEqual([{ member_count: 0, counted: 0 }]);
  });

  it('and keeps the member count right under concurrent changes', async () => {
    await own.database.query(`
      INSERT INTO job_boards (id, name, code) SELECT id, 'Board', 'board-' || id FROM generate_series(101, 120) id;
      INSERT INTO selections (id, name, resource) VALUES (5, 'Crowded', 'job_boards');
      INSERT INTO selection_members SELECT 5, 'job_boards', id FROM generate_series(101, 110) id`);
    const statements = Array.from({ length: 10 }, (_, index) => [
      `DELETE FROM job_boards WHERE id = ${101 + index}`,
      `INSERT INTO selection_members VALUES (5, 'job_boards', ${111 + index})`,
    ]);
    await Promise.all(statements.flat().map((text) => own.database.query(text)));
    const [selection] = await own.database.query(
      'SELECT member_count, (SELECT count(*) FROM selection_members WHERE selection_id = 5) AS counted FROM selections WHERE id = 5',
    );
    expect(selection).toEqual({ member_count: 10, counted: 10 });
  });
});
