import { loggableMessage } from './error-message.js';

/** The part of an error that may be logged: codes, names and code locations. It never has values that a client sent. */
export interface DescribedError {
  /** The class of the error, or the JavaScript type of a thrown value that is not an error. */
  readonly type: string;
  /** A code that can be looked up: SQLSTATE, `ECONNREFUSED`, `ERR_…`. */
  readonly code?: string | number;
  readonly message?: string;
  /** The lines of the stack without the message. The innermost comes first. */
  readonly stack?: readonly string[];
  readonly cause?: DescribedError;
  /** The first errors of an `AggregateError`. */
  readonly errors?: readonly DescribedError[];
  /** Details that have no values of a client: the violated constraint, the unreachable server, the failed command. */
  readonly [detail: string]: unknown;
}

/** Properties of PostgreSQL errors that name parts of the schema or of the server's source. */
const POSTGRES_PROPERTIES = ['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'] as const;
/** Properties of Node's system errors: the call that failed, and its server. */
const SYSTEM_PROPERTIES = ['syscall', 'hostname', 'address', 'port'] as const;
const MAX_FRAMES = 20;
const MAX_CAUSES = 5;
const MAX_ERRORS = 4;

/**
 * Reduces an error to the parts that may be logged. The message of the error is dropped unless it is known to quote no
 * values. Messages of PostgreSQL, its driver, Redis, mail servers and JSON parsers may quote values, statements,
 * arguments, e-mail addresses or bodies. Only the properties on a fixed list are kept. Never throws.
 */
export function describeError(error: unknown): DescribedError {
  try {
    return describe(error, MAX_CAUSES);
  } catch {
    return { type: 'an error that cannot be described' };
  }
}

function describe(error: unknown, depth: number): DescribedError {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error };
  const thrown = error as Error & Readonly<Record<string, unknown>>;
  // TypeORM wraps PostgreSQL's error in an error that contains the statement. The details are read from PostgreSQL's
  // error.
  const source = (thrown['driverError'] instanceof Error ? thrown['driverError'] : thrown) as typeof thrown;
  const type = nameOf(thrown);
  const code = codeOf(source['code']);
  const isOfPostgres = typeof source['severity'] === 'string';
  const message = loggableMessage({ type, code, message: source.message, isOfPostgres });
  const stack = framesOf(thrown);
  return {
    type,
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...pick(source, isOfPostgres ? POSTGRES_PROPERTIES : SYSTEM_PROPERTIES),
    ...redisDetails(thrown),
    ...mailServerDetails(thrown),
    ...(stack.length > 0 && { stack }),
    ...(depth > 0 && thrown.cause !== undefined && { cause: describe(thrown.cause, depth - 1) }),
    ...(depth > 0 &&
      Array.isArray(thrown['errors']) && {
        errors: thrown['errors'].slice(0, MAX_ERRORS).map((one) => describe(one, 0)),
      }),
  };
}

/**
 * Returns the name of the error's class. A class that does not set `name` inherits `Error`, so its name is taken from
 * the constructor.
 */
const nameOf = ({ name, constructor }: Error): string => (name === 'Error' ? constructor.name : name);

function codeOf(code: unknown): string | number | undefined {
  if (typeof code === 'number') return code;
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : undefined;
}

function pick(error: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  const found = names
    .map((name) => [name, error[name]] as const)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(found);
}

/** Returns the command without its arguments, and the first word of the reply, such as `READONLY` or `WRONGPASS`. */
function redisDetails({
  name,
  message,
  command,
}: Error & Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const reply = name === 'ReplyError' ? /^[A-Z]{2,20}\b/.exec(message)?.[0] : undefined;
  const verb = typeof command === 'object' && command !== null && 'name' in command ? command.name : undefined;
  return { ...(reply !== undefined && { reply }), ...(typeof verb === 'string' && { command: verb }) };
}

/**
 * Returns the number of the reply, and the command that it answers, such as `RCPT TO`. The text of the reply is left
 * out, because it repeats addresses.
 */
function mailServerDetails({
  responseCode,
  command,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (typeof responseCode !== 'number') return {};
  return {
    response_code: responseCode,
    ...(typeof command === 'string' && { command: /^[A-Z]+( TO| FROM)?/.exec(command)?.[0] }),
  };
}

/**
 * Matches a line of a stack. It must end with a code location. Otherwise a line of the message could be taken for a
 * line of the stack.
 */
const FRAME = /^ +at (?:[\w$.#<>[\] ]+ \()?(?:async )?[^\s"'()]*[:/][^\s"'()]*:\d+:\d+\)?$/;

/** Returns the lines of the stack without the message at its beginning. */
function framesOf({ message, stack = '' }: Error): readonly string[] {
  const end = stack.indexOf(message);
  const frames = (message !== '' && end >= 0 ? stack.slice(end + message.length) : stack)
    .split('\n')
    .filter((line) => FRAME.test(line));
  return frames.slice(0, MAX_FRAMES).map((line) => line.trim().slice('at '.length));
}
