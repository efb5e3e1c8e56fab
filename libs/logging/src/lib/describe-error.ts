import { loggableMessage } from './error-message.js';

/** What the log holds of an error. Codes, names and places; nothing that somebody has sent. */
export interface DescribedError {
  /** The class of the error, or the type of what was thrown instead of one. */
  readonly type: string;
  /** SQLSTATE, `ECONNREFUSED`, `ERR_…`: what to look up. */
  readonly code?: string | number;
  readonly message?: string;
  /** Where it was thrown, innermost first; the lines of a stack without its message. */
  readonly stack?: readonly string[];
  readonly cause?: DescribedError;
  /** Of an `AggregateError`: the first of them. */
  readonly errors?: readonly DescribedError[];
  /** What else is sure to hold no value: the constraint that was violated, the server that could not be reached, the command that failed. */
  readonly [detail: string]: unknown;
}

/** Of PostgreSQL: names in the schema and in the server's source. */
const NAMES_OF_POSTGRES = ['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'] as const;
/** Of Node: which call to which server failed. */
const OF_SYSTEM = ['syscall', 'hostname', 'address', 'port'] as const;
const MAX_FRAMES = 20;
const MAX_CAUSES = 5;
const MAX_ERRORS = 4;

/**
 * What of an error may be logged. Messages are left out unless they are known to quote nothing: PostgreSQL's quote values, its
 * driver hands over statements with their parameters, mail servers repeat addresses, Redis the arguments of commands, JSON the
 * body that is none. What is kept is chosen property by property; whatever else an error carries stays out.
 * Never throws, whatever it is given.
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
  // The driver's error is the one that PostgreSQL has sent; TypeORM puts the statement around it.
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
    ...pick(source, isOfPostgres ? NAMES_OF_POSTGRES : OF_SYSTEM),
    ...ofRedis(thrown),
    ...ofMailServer(thrown),
    ...(stack.length > 0 && { stack }),
    ...(depth > 0 && thrown.cause !== undefined && { cause: describe(thrown.cause, depth - 1) }),
    ...(depth > 0 &&
      Array.isArray(thrown['errors']) && {
        errors: thrown['errors'].slice(0, MAX_ERRORS).map((one) => describe(one, 0)),
      }),
  };
}

/** A class that was given no name of its own has still the one that it was written with. */
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

/** The command without its arguments, and the first word of the reply: `READONLY`, `WRONGPASS`. */
function ofRedis({
  name,
  message,
  command,
}: Error & Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const reply = name === 'ReplyError' ? /^[A-Z]{2,20}\b/.exec(message)?.[0] : undefined;
  const verb = typeof command === 'object' && command !== null && 'name' in command ? command.name : undefined;
  return { ...(reply !== undefined && { reply }), ...(typeof verb === 'string' && { command: verb }) };
}

/** The number of the reply and what it answered, `RCPT TO`: its text repeats addresses. */
function ofMailServer({ responseCode, command }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (typeof responseCode !== 'number') return {};
  return {
    response_code: responseCode,
    ...(typeof command === 'string' && { command: /^[A-Z]+( TO| FROM)?/.exec(command)?.[0] }),
  };
}

/** With a place at its end, so that no line of a message passes for one. */
const FRAME = /^ +at (?:[\w$.#<>[\] ]+ \()?(?:async )?[^\s"'()]*[:/][^\s"'()]*:\d+:\d+\)?$/;

/** A stack begins with the message. */
function framesOf({ message, stack = '' }: Error): readonly string[] {
  const end = stack.indexOf(message);
  const frames = (message !== '' && end >= 0 ? stack.slice(end + message.length) : stack)
    .split('\n')
    .filter((line) => FRAME.test(line));
  return frames.slice(0, MAX_FRAMES).map((line) => line.trim().slice('at '.length));
}
