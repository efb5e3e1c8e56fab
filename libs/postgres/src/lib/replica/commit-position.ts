import type pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { type Transaction } from '../transaction.js';
import { endOfLastRecord, type WalPosition, WRITTEN } from './wal-position.js';

/** The position of the commit of a transaction in the write-ahead log. Undefined until the transaction is committed. */
export interface CommitPosition {
  readonly position: WalPosition | undefined;
}

const COMMIT = `COMMIT; SELECT ${WRITTEN} AS position`;

/**
 * Makes the commit of a transaction report its position. COMMIT and the query of the position are sent as one message,
 * which saves a round trip. Call it inside the transaction, and read `position` after the commit.
 * Source: docs/reference/database.md, "Read replica".
 */
export function withCommitPosition(transaction: Transaction): CommitPosition {
  const runner = transaction.queryRunner;
  if (!runner) throw new Error('expected a transaction that is open on a connection');
  const committed: { position: WalPosition | undefined } = { position: undefined };
  // TypeORM's method drops the answer to COMMIT. It can be replaced, because only this transaction uses the runner.
  runner.commitTransaction = async () => {
    const connection = (await runner.connect()) as pg.PoolClient;
    try {
      const results: unknown = await connection.query(COMMIT);
      committed.position = endOfLastRecord(
        (results as pg.QueryResult<{ position: WalPosition }>[]).at(-1)?.rows[0]?.position ?? 0,
      );
    } catch (error) {
      throw new QueryFailedError(COMMIT, undefined, error as Error);
    }
    (runner as { isTransactionActive: boolean }).isTransactionActive = false;
  };
  return committed;
}
