/** The error for a database that cannot be reached now, or not within the time limit. A later attempt may succeed. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'database_unavailable';

  constructor(reason: string, options?: ErrorOptions) {
    super(`the database is unavailable: ${reason}`, options);
    this.name = 'DatabaseUnavailableError';
  }
}

/**
 * The error for statements while {@link DatabaseWatch} knows that the server is unavailable. The watch has logged the
 * outage once, so code that catches the error must not log it again.
 */
export class ServerUnavailableError extends DatabaseUnavailableError {}

/** The error for a connection that was lost during COMMIT. The transaction may be committed or rolled back. */
export class CommitUnknownError extends DatabaseUnavailableError {
  constructor(options: ErrorOptions) {
    super('the connection was lost while committing', options);
    this.name = 'CommitUnknownError';
  }
}

/**
 * The error for a server that answers and refuses the login. Waiting does not help. The message quotes no configured
 * value.
 */
export class DatabaseRefusedError extends Error {
  constructor(code: string, options?: ErrorOptions) {
    super(
      `the database of DATABASE_URL refuses the connection: ${REFUSALS.get(code) ?? 'the login is refused'} (${code})`,
      options,
    );
    this.name = 'DatabaseRefusedError';
  }
}

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['28P01', 'the user or the password is wrong'],
  ['28000', 'the user may not connect from here'],
  ['3D000', 'the database does not exist'],
  ['42501', 'the user may not use the database'],
]);

/** True for SQLSTATEs that refuse the user or the database. A later attempt gives the same result. */
export const isRefusal = (error: unknown): boolean => REFUSALS.has(codeOf(error) ?? '');

/** Error codes of sockets and of the name resolver when a server cannot be reached. */
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
 * SQLSTATEs that count as unavailable: connection (08), login (28), database (3D000), lack of resources (53), cancelled
 * (57014), shut down (57P), system error (58), read-only after a failover (25006), and serialisation failure
 * or deadlock (40).
 */
const STATES = /^(08...|28...|3D000|40001|40P01|53...|57014|57P..|58...|25006)$/;

/**
 * Names and message texts of further errors that mean unavailable. TypeORM and the driver give these errors no code.
 */
const NAMES = new Set([
  'QueryRunnerAlreadyReleasedError',
  'TransactionNotStartedError',
  'CannotExecuteNotConnectedError',
  'ConnectionIsNotSetError',
]);
const TEXTS = new RegExp(
  `^(${[
    'connection terminated',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'query read timeout',
    'client (was closed|has encountered a connection error)',
    'cannot use a pool after calling end',
    'driver not connected',
  ].join('|')})`,
  'i',
);

/**
 * True when an error means that the database is unavailable, overloaded or being replaced, so that the same request may
 * succeed later. Recognises errors of this library, of the driver, of TypeORM and of sockets.
 */
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
