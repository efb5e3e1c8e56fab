export { ADVISORY_LOCKS } from './lib/advisory-locks.js';
export { type BodyPiece, inPieces, joinPieces } from './lib/answer-pieces.js';
export { AnswerTooLargeError, isAnswerTooLarge, MAX_ANSWER_BYTES } from './lib/answer-size.js';
export { type Consumer, type ConsumerLimit, ConsumerLimitError, runFor } from './lib/consumer.js';
export { Database, type DatabaseOptions, type OpenDatabaseOptions } from './lib/database.js';
export {
  beforeCommit,
  notifyAfterCommit,
  runPrepared,
  runRepeated,
  runStatement,
  type Transaction,
} from './lib/transaction.js';
export { type DatabaseState, type DatabaseStateChange, DatabaseWatch, stateInWords } from './lib/database-watch.js';
export {
  CommitUnknownError,
  DatabaseRefusedError,
  DatabaseUnavailableError,
  isUnavailable,
  ServerUnavailableError,
} from './lib/unavailable.js';
export {
  dayOf,
  dropOldPartitions,
  type DroppedPartitions,
  ensurePartitions,
  type Partition,
  type Partitioning,
  readPartitions,
  unlessBusy,
} from './lib/partitions.js';
export { type PoolState } from './lib/pool-state.js';
export { prepared, ReadPool, type ReadPoolOptions } from './lib/read-pool.js';
export { type ReadStatement } from './lib/read-statement.js';
export { ReadSnapshot } from './lib/read-snapshot.js';
export { Shares, type SharesOptions } from './lib/shares.js';
export { endedBetween, readsClock, SNAPSHOT } from './lib/snapshot.js';
export { type FollowedTable, highWaterMark } from './lib/high-water-mark.js';
export { migrate, type MigrateOptions, undoMigration } from './lib/migrating/migrate.js';
export { type RestrictedRole, type TablePrivilege } from './lib/migrating/restricted-role.js';
export { type RunQuery, schemaRights } from './lib/schema-rights.js';
export { MigrationRefusedError } from './lib/migrating/migration-refused-error.js';
export { type CommitPosition, withCommitPosition } from './lib/replica/commit-position.js';
export {
  type Fallback,
  NOTED_MS,
  Replica,
  type ReplicaMeasures,
  type ReplicaOptions,
  type ReplicaState,
} from './lib/replica/replica.js';
export { type PageReads, type Statements } from './lib/replica/replica-reads.js';
export { type WalPosition } from './lib/replica/wal-position.js';
