import { type Mode } from './delivery-mode.js';

/** Options that `npm run test:faults` passes to the tests. */
export interface FaultTestOptions {
  readonly isFast: boolean;
  readonly only: readonly number[] | null;
  readonly modes: readonly Mode[];
  readonly soakSeconds: number;
  readonly absentSeconds: number;
  /** The folder in which servers store their data. The runner removes it. */
  readonly dir: string;
  readonly logs: string;
  /** The file to which tests append the rows of the summary table. */
  readonly report: string;
  /** A PostgreSQL data directory, of which each test makes a copy. It has the database `ats` with all migrations. */
  readonly cluster: string;
  readonly clusterSettings: Readonly<Record<string, string>>;
  /** The password of all PostgreSQL and Redis servers. */
  readonly password: string;
  /** The token of the first credential, which has every scope. */
  readonly token: string;
  readonly redisCommand: string;
}

export const options = read();

function read(): FaultTestOptions {
  const text = process.env['FAULT_TESTS'];
  if (!text) throw new Error('FAULT_TESTS is not set: run this through `npm run test:faults`');
  return JSON.parse(text) as FaultTestOptions;
}
