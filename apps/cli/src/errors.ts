import { ApiError, ConnectionError } from '@ats/client';
import { CommanderError } from 'commander';
import { forTerminal } from './output.js';

/** An error that the user has made: a wrong command, option or value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The exit codes of `ats`. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  connection: 3,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const;

/** Ends the command with an exit code. The error itself has been shown before. */
export class AlreadyShown extends Error {
  override readonly name: string = 'AlreadyShown';
  constructor(readonly exitCode: number) {
    super('The command has failed.');
  }
}

/** Ends a command that a signal has interrupted. As in shells, the exit code is 128 plus the number of the signal. */
export class Interruption extends AlreadyShown {
  override readonly name = 'Interruption';
}

/** Returns the exit code of an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof AlreadyShown) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof ConnectionError ? EXIT.connection : EXIT.failure;
}

/** Returns the text of an error for people, or as JSON for programs. */
export function describeError(error: unknown, asJson: boolean): string {
  if (asJson && error instanceof ApiError) return JSON.stringify({ status: error.status, ...bodyOf(error) });
  if (asJson && error instanceof CommanderError)
    return JSON.stringify({ error: 'UsageError', message: usageOf(error) });
  const { name = 'Error', message = String(error) } = error as Partial<Error>;
  const cause = error instanceof ConnectionError ? causeOf(error) : undefined;
  if (asJson) return JSON.stringify({ error: name, message, cause });
  const request = error instanceof ApiError ? `\n${answerOf(error)}` : '';
  return forTerminal(`${message}${cause ? ` ${cause}` : ''}${request}`);
}

/**
 * Returns the text of an error in the arguments. When the command is missing, the library shows its help and gives no
 * text.
 */
const usageOf = ({ code, message }: CommanderError): string =>
  code === 'commander.help'
    ? 'expected a command. The option --help lists the commands.'
    : message.replace(/^error: /, '');

const answerOf = ({ status, requestId }: ApiError): string =>
  requestId === undefined ? `(status ${status})` : `(status ${status}, request ${requestId})`;

const bodyOf = ({ body }: ApiError): object => (typeof body === 'object' && body !== null ? body : { message: body });

/** Returns the text of the innermost cause, such as "connect ECONNREFUSED 127.0.0.1:3000". */
export function causeOf(error: Error): string | undefined {
  let cause: unknown = error.cause;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  // When all addresses of a host name fail, the error has a code but no message.
  if (!(cause instanceof Error)) return undefined;
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === 'ERR_SSL_WRONG_VERSION_NUMBER' ? 'It does not speak TLS. Use http:// for it.' : message || code;
}
