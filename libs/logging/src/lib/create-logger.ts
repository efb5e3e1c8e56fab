import { hostname } from 'node:os';
import { pid, stdout } from 'node:process';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { describeError } from './describe-error.js';
import { toReadable } from './readable.js';

export { type Logger };

/** The form of log lines: JSON, or text for developers. */
export type LogFormat = 'json' | 'pretty';

/** Options of `createLogger`. */
export interface LoggerOptions {
  /** The name of the process: `api`, `notifier`. */
  readonly app: string;
  /** The release of the app. */
  readonly release?: string | undefined;
  /** The lowest level that is written: `fatal` to `trace`, or `silent`. */
  readonly level: string;
  /** `json` for one JSON object a line, or `pretty` for developers. */
  readonly format?: LogFormat;
  /** Called for each line. Returns additional fields, such as the ids of the active trace. */
  readonly fields?: () => Readonly<Record<string, unknown>>;
  /** Writes one line, which includes its line break. By default, lines are written to standard output. */
  readonly write?: (line: string) => void;
}

/**
 * Creates a logger. Each line has `time` (ISO 8601, UTC), `level` (a word), `app`, `release`, `hostname`, `pid`, `msg`,
 * and its own fields in snake_case. Pass errors as `err`: `describeError` reduces them. `req` and `res` are dropped.
 */
export function createLogger({ app, release, level, format = 'json', fields, write }: LoggerOptions): Logger {
  const print = write ?? ((line: string) => void stdout.write(line));
  const destination = format === 'pretty' ? { write: (line: string) => print(toReadable(line)) } : write && { write };
  return pino(
    {
      level,
      base: { app, release, hostname: hostname(), pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeIfError, req: () => undefined, res: () => undefined },
      hooks: { logMethod: requireOwnText },
      ...(fields && { mixin: () => ({ ...fields() }) }),
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

const describeIfError = (value: unknown): unknown => (value instanceof Error ? describeError(value) : value);

/**
 * When a call has an error but no text, uses the class name of the error as the text of the line. Otherwise pino would
 * use the message of the error, which may quote values.
 */
function requireOwnText(
  this: Logger,
  given: Parameters<Logger['info']>,
  log: (this: Logger, ...given: Parameters<Logger['info']>) => void,
): void {
  const [first, text] = given as [unknown, unknown];
  const error = first instanceof Error ? first : hasError(first) ? first.err : undefined;
  if (error !== undefined && text === undefined)
    log.call(this, first instanceof Error ? { err: first } : first, error instanceof Error ? error.name : 'error');
  else log.apply(this, given);
}

const hasError = (value: unknown): value is { readonly err: unknown } =>
  typeof value === 'object' && value !== null && 'err' in value;
