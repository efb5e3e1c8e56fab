import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Client, createClient } from '@ats/client';
import { type Environment } from './config/env.js';
import { type Login, readLogin } from './config/login-file.js';
import { type Command } from 'commander';
import { UsageError } from './errors.js';
import { forTerminal } from './output.js';

/** The streams, the settings and the stop signal that a command gets. */
export interface Context {
  readonly environment: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborts the command after Ctrl-C. The reason of the signal is an `Interruption`. */
  readonly signal: AbortSignal;
}

/** Returns a client with the login of this call. @throws {UsageError} without a login */
export const connect = (context: Context): Client => clientOf(readLogin(context.environment), context);

/** Returns a client whose requests end with Ctrl-C. */
export function clientOf({ url, token }: Login, { signal }: Context): Client {
  const client = createClient({ baseUrl: url, token });
  client.interceptors.request.use(
    (request) => new Request(request, { signal: AbortSignal.any([request.signal, signal]) }),
  );
  return client;
}

/** Reads the standard input to its end, or until Ctrl-C. */
export const readAll = ({ stdin, signal }: Context): Promise<string> => text(addAbortSignal(signal, stdin));

/** True with the option `--json`, which may stand before or after the name of the command. */
export const wantsJson = (command: Command): boolean => command.optsWithGlobals<{ json?: boolean }>().json === true;

/** Prints a value: as JSON for programs with `--json`, otherwise as a text that cannot control the terminal. */
export const print = <T>({ stdout }: Context, command: Command, value: T, toText: (value: T) => string): void =>
  void stdout.write(wantsJson(command) ? `${JSON.stringify(value)}\n` : forTerminal(toText(value)));

/**
 * Returns the path of a collection. A name such as `notification_topics/3/subscriptions` names a nested collection.
 * @throws {UsageError} when a part of the name is empty, `.` or `..`
 */
export function pathOf(resource: string, id?: string): string {
  const parts = [...resource.split('/'), ...(id === undefined ? [] : [id])];
  if (parts.some((part) => ['', '.', '..'].includes(part)))
    throw new UsageError(`${parts.join('/')} has a part that is empty, "." or "..".`);
  return ['/api/v1', ...parts.map(encodeURIComponent)].join('/');
}
