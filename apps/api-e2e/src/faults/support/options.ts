import { type Mode } from './delivery-mode.js';

/** Options that `npm run test:faults` passes to the tests. */
export interface FaultTestOptions {
  readonly isFast: boolean;
  readonly only: readonly number[] | null;
  readonly modes: readonly Mode[];
  readonly soakSeconds: number;
  readonly absentSeconds: number;
  /** Folder for the data of servers. The runner removes it. */
  readonly dir: string;
  readonly logs: string;
  /** File with the rows of the summary table at the end of the run. */
  readonly report: string;
  /** PostgreSQL data directory that each test copies. It has the database `ats` with all migrations. */
  readonly cluster: string;
  readonly clusterSettings: Readonly<Record<string, string>>;
  /** Password of PostgreSQL and Redis. */
  readonly password: string;
  /** Token of the first credential, which has every scope. */
  readonly token: string;
  readonly redisCommand: string;
}

export const options = read();

function read(): FaultTestOptions {
  const text = process.env['FAULT_TESTS'];
  if (!text) throw new Error('FAULT_TESTS is not set: run this through `npm run test:faults`');
  return JSON.parse(text) as FaultTestOptions;
}
