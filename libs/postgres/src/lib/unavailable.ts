/** The database cannot be reached at the moment, or not within the time that a request has. It may be worth another try. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'database_unavailable';

  constructor(reason: string, options?: ErrorOptions) {
    super(`the database is not available: ${reason}`, options);
    this.name = 'DatabaseUnavailableError';
  }
}

/** The server is known to be away, and whoever watches it has told so once: what fails because of that need not say it again. */
export class DatabaseAwayError extends DatabaseUnavailableError {}

/** The connection was lost while the server was asked to commit: nobody knows whether it has. */
export class CommitUnknownError extends DatabaseUnavailableError {
  constructor(options: ErrorOptions) {
    super('the connection was lost while committing', options);
    this.name = 'CommitUnknownError';
  }
}

/** The server is there and does not let us in; waiting does not mend that. The message is for operators, and quotes no value. */
export class DatabaseRefusedError extends Error {
  constructor(code: string, options?: ErrorOptions) {
    super(
      `the database of DATABASE_URL refuses the connection: ${REFUSALS.get(code) ?? 'the login is not accepted'} (${code})`,
      options,
    );
    this.name = 'DatabaseRefusedError';
  }
}

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['28P01', 'user or password are wrong'],
  ['28000', 'the user may not connect from here'],
  ['3D000', 'there is no such database'],
  ['42501', 'the user may not use the database'],
]);

/** SQLSTATEs that say no to who we are, not to the moment. */
export const isRefusal = (error: unknown): boolean => REFUSALS.has(codeOf(error) ?? '');

/** What the sockets and the resolver say, while a server is away or unreachable. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
]);

/**
 * Connections (08), the login (28) and the database (3D000), what the server lacks (53), cancelled (57014) or shut down (57P), and errors
 * of its machine (58); read-only after a failover (25006), in which both the server and what connects to it are told to try again elsewhere;
 * two transactions in each other's way, again and again (40).
 */
const STATES = /^(08...|28...|3D000|40001|40P01|53...|57014|57P..|58...|25006)$/;

/** The driver and TypeORM have no codes for these. */
const NAMES = new Set([
  'QueryRunnerAlreadyReleasedError',
  'TransactionNotStartedError',
  'CannotExecuteNotConnectedError',
  'ConnectionIsNotSetError',
]);
const TEXTS =
  /^(connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client (was closed|has encountered a connection error)|cannot use a pool after calling end|driver not connected)/i;

/** Whether an error says that the database is away, busy or being replaced: the database comes back, and the request may too. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    (code !== undefined && (UNREACHABLE.has(code) || STATES.test(code))) ||
    NAMES.has(error.name) ||
    TEXTS.test(error.message)
  );
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
