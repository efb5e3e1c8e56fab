import type pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { type Transaction } from '../transaction.js';
import { endOfLastRecord, type WalPosition, WRITTEN } from './wal-position.js';

/** Where a transaction is in the log; undefined as long as it is not committed. */
export interface CommitPosition {
  readonly position: WalPosition | undefined;
}

const COMMIT = `COMMIT; SELECT ${WRITTEN} AS position`;

/** Has the commit of a transaction tell the position behind it: both in one message, so that it takes no round trip of its own. */
export function withCommitPosition(transaction: Transaction): CommitPosition {
  const runner = transaction.queryRunner;
  if (!runner) throw new Error('a transaction has a connection');
  const committed: { position: WalPosition | undefined } = { position: undefined };
  // TypeORM's own gives the answer to its COMMIT to nobody. The runner is that of this transaction alone.
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
