import { runStatement, type Transaction } from '@ats/postgres';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { jobBoards } from '../../objects/job-board.model.js';
import { entitySchemas } from '../entities.js';
import { deleteObject, insertObject, replaceObject } from '../write-object.js';
import { markNotes } from './note-changes.js';
import { setTransactionRequest } from './transaction-request.js';

const own = useTestDatabase({ entities: entitySchemas() });
const settings = { baseUrl: 'https://ats.example.com', language: 'en' };

// Each event names a recruiter.
beforeAll(async () => {
  await own.database.query(
    `INSERT INTO users (type, firstname, lastname, email) VALUES ('recruiter', 'Grace', 'Hopper', 'grace@example.com')`,
  );
});

let codes = 0;
const newCode = (): string => {
  codes += 1;
  return `board_${codes}`;
};

/** Creates a job board in a transaction of its own, which raises its creation event. */
const created = (): Promise<number> =>
  own.database.transaction((transaction) => insertObject(transaction, jobBoards, { name: 'Board', code: newCode() }));

/** Runs work in a transaction that serves a client, as all updates do. */
const serve = (work: (transaction: Transaction) => Promise<void>): Promise<void> =>
  own.database.transaction((transaction) => {
    const client = { credentialId: 1, recruiterId: 1, address: '127.0.0.1' };
    setTransactionRequest(transaction, { requestId: null, traceparent: null, client });
    return work(transaction);
  });

/** Renames a job board. Its code changes as well, so that each call changes the object. */
const rename = (transaction: Transaction, id: number, name: string): Promise<unknown> =>
  replaceObject(transaction, jobBoards, { id, body: { name, code: newCode() } }, settings);

/** Returns the events of job boards after their creation, each with the name in its snapshot. */
const eventsOf = (...ids: number[]): Promise<{ type: string; subject_id: number; name: string }[]> =>
  own.database.query(
    `SELECT type, subject_id, facts ->> 'job_board.name' AS name FROM domain_events
     WHERE subject_type = 'job_board' AND subject_id = ANY($1) AND type <> 'JOB_BOARD_CREATE' ORDER BY id`,
    [ids],
  );

const update = (subject_id: number, name: string) => ({ type: 'JOB_BOARD_UPDATE', subject_id, name });

describe('the events of a transaction', () => {
  it('have the values that the transaction commits, once for each object', async () => {
    const id = await created();
    await serve(async (transaction) => {
      await rename(transaction, id, 'First');
      await rename(transaction, id, 'Second');
      await rename(transaction, id, 'Third');
    });
    expect(await eventsOf(id)).toEqual([update(id, 'Third')]);
    const [row] = await own.database.query<{ isEqual: boolean }>(
      `SELECT facts ->> 'job_board.updated_dt' = to_char(b.updated_dt AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
         AS "isEqual" FROM domain_events e JOIN job_boards b ON b.id = e.subject_id
       WHERE b.id = $1 AND e.type = 'JOB_BOARD_UPDATE'`,
      [id],
    );
    expect(row).toEqual({ isEqual: true });
  });

  it('have the order of the first changes of their objects', async () => {
    const [one, other] = [await created(), await created()];
    await serve(async (transaction) => {
      await rename(transaction, one, 'One');
      await rename(transaction, other, 'Other');
      await rename(transaction, one, 'One again');
    });
    expect(await eventsOf(one, other)).toEqual([update(one, 'One again'), update(other, 'Other')]);
  });

  it('are only the deletion of an object that is changed and deleted', async () => {
    const id = await created();
    await serve(async (transaction) => {
      await rename(transaction, id, 'Gone');
      await deleteObject(transaction, jobBoards, id);
    });
    expect(await eventsOf(id)).toEqual([{ type: 'JOB_BOARD_DELETE', subject_id: id, name: 'Gone' }]);
  });

  it('do not include changes after a savepoint to which the transaction rolls back', async () => {
    const [kept, undone] = [await created(), await created()];
    await serve(async (transaction) => {
      await rename(transaction, kept, 'Kept');
      await runStatement(transaction, 'SAVEPOINT before_change');
      const restore = markNotes(transaction);
      await rename(transaction, undone, 'Undone');
      await rename(transaction, kept, 'Undone');
      await runStatement(transaction, 'ROLLBACK TO SAVEPOINT before_change');
      restore();
      await rename(transaction, undone, 'Later');
    });
    expect(await eventsOf(kept, undone)).toEqual([update(kept, 'Kept'), update(undone, 'Later')]);
  });

  it('are none when the transaction changes nothing', async () => {
    const code = newCode();
    const body = { name: 'Board', code };
    const id = await own.database.transaction((transaction) => insertObject(transaction, jobBoards, body));
    await own.database.transaction((transaction) => replaceObject(transaction, jobBoards, { id, body }, settings));
    expect(await eventsOf(id)).toEqual([]);
  });
});
