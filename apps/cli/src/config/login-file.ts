import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.js';
import { type Environment } from './env.js';

export interface Login {
  readonly url: string;
  readonly token: string;
}

const fileOf = ({ configFolder }: Environment): string => join(configFolder, 'login.json');

/** Stores the login so that only this user can read it. @returns the path of the file */
export function storeLogin(environment: Environment, login: Login): string {
  const file = fileOf(environment);
  mkdirSync(environment.configFolder, { recursive: true, mode: 0o700 });
  // Writes a new file and renames it, because `mode` has no effect on an existing file.
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(login, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
  return file;
}

/** Deletes the stored login. @returns the path of the file. Undefined when there is none */
export function deleteLogin(environment: Environment): string | undefined {
  const file = fileOf(environment);
  if (!existsSync(file)) return undefined;
  rmSync(file);
  return file;
}

/**
 * Checks a token before it becomes a part of a header. An invalid header would cause an error that quotes the token.
 * @throws {UsageError} when the token cannot be part of a header
 */
export function checkedToken(text: string): string {
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('The token is empty, or has a character that is not allowed in tokens.');
  return token;
}

/** True for a complete address with `http` or `https`. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** Checks the address of a service. @throws {UsageError} when it is not complete, or has more than a path */
export function checkedUrl(text: string): string {
  if (!isWebAddress(text)) throw new UsageError(`"${text}" is not an address such as https://ats.example.com.`);
  const { username, password, search, hash } = new URL(text);
  // The text may contain a password, so the error does not quote the address.
  if (username + password + search + hash !== '')
    throw new UsageError(
      'The address must have no user, no password, no ? and no #. It is like https://ats.example.com.',
    );
  return text;
}

/** Returns the login of this call. The variables `ATS_URL` and `ATS_TOKEN` take precedence over the stored login. */
export function readLogin(environment: Environment): Login {
  const file = fileOf(environment);
  const stored = existsSync(file) ? parseLogin(file) : undefined;
  const url = environment.url ?? stored?.url;
  // The stored token belongs to the stored address. It must not be sent to another service.
  const token = environment.token ?? (url === stored?.url ? stored?.token : undefined);
  if (url === undefined) throw new UsageError('There is no login. Run `ats login`, or set ATS_URL and ATS_TOKEN.');
  if (token === undefined)
    throw new UsageError(
      `There is no login for ${url}, the address in ATS_URL. Set ATS_TOKEN, too, or run \`ats login --url ${url}\`.`,
    );
  return { url: checkedUrl(url), token: checkedToken(token) };
}

function parseLogin(file: string): Partial<Login> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Login>;
  } catch (error) {
    throw new UsageError(`${file} cannot be read. Run \`ats login\` again.`, { cause: error });
  }
}
