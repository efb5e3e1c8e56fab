/** What `npm run test:faults` hands to the tests. */
export interface FaultTestOptions {
  readonly isFast: boolean;
  readonly only: readonly number[] | null;
  readonly soakSeconds: number;
  readonly absentSeconds: number;
  /** For the data of servers; the runner removes it. */
  readonly dir: string;
  readonly logs: string;
  /** File of the rows of the closing table. */
  readonly report: string;
  /** Data directory that is copied for each test: a database `ats` with all migrations. */
  readonly cluster: string;
  readonly clusterSettings: Readonly<Record<string, string>>;
  /** Of PostgreSQL and of Redis. */
  readonly password: string;
  /** Of the first credential, with every scope. */
  readonly token: string;
  readonly redisCommand: string;
}

export const options = read();

function read(): FaultTestOptions {
  const text = process.env['FAULT_TESTS'];
  if (!text) throw new Error('FAULT_TESTS is not set: run this through `npm run test:faults`');
  return JSON.parse(text) as FaultTestOptions;
}
