import { type ChildProcess } from 'node:child_process';
import { appendFileSync, createWriteStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Returns the folder that keeps the output of all processes of a run, and a file of secrets that must not be in it. At
 * the end of the run `tools/run-log` searches the output for the secrets. Undefined when the run does not keep its
 * output.
 */
export const runLogFolder = (): string | undefined => process.env['RUN_LOG_FOLDER'];

const SECRETS_FILE = 'secrets.jsonl';

/** Properties of a body that contain a secret or personal data. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'token',
  'signing_key',
  'next_signing_key',
  'standard_webhooks_secret',
  'firstname',
  'lastname',
  'preferred_name',
  'email',
  'AddressLine',
]);
/** The e-mail address of the recruiter that each new system has. The names of this recruiter are no personal data. */
const BUILT_IN_EMAIL = 'administrator@system.invalid';
/** Minimum length of a text that is stored as a secret. A log may contain a shorter text by chance. */
const SHORTEST = 6;

/** Writes the output of a process to a separate file. */
export function keepOutput(child: ChildProcess, script: string): void {
  const folder = runLogFolder();
  if (!folder) return;
  const app = script.startsWith('apps/') ? basename(dirname(dirname(script))) : basename(script, '.js');
  const file = createWriteStream(join(folder, `${app}-${child.pid}.log`), { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => file.write(chunk));
  child.once('close', () => file.end());
}

/** Stores texts as secrets. No process may print them. */
export function noteSecrets(...secrets: readonly (string | undefined)[]): void {
  const folder = runLogFolder();
  const long = secrets.filter((secret) => secret !== undefined && secret.length >= SHORTEST);
  if (folder && long.length > 0)
    appendFileSync(join(folder, SECRETS_FILE), long.map((secret) => `${JSON.stringify(secret)}\n`).join(''));
}

/**
 * Stores a token as a secret in three forms: the whole token, its secret part, and the token encoded for
 * `Authorization: Basic`.
 */
export const noteToken = (token: string): void =>
  noteSecrets(token, /^ats_[^_]+_(.+)$/.exec(token)?.[1], Buffer.from(`${token}:`).toString('base64'));

/** Stores the keys, tokens and passwords of the environment of a process as secrets. */
export function noteSettings(settings: Readonly<Record<string, string>>): void {
  noteSecrets(settings['SECRET_KEY']);
  if (settings['BOOTSTRAP_TOKEN']) noteToken(settings['BOOTSTRAP_TOKEN']);
  for (const value of Object.values(settings)) if (URL.canParse(value)) noteSecrets(new URL(value).password);
}

/** Stores the tokens, keys, names, e-mail addresses and postal addresses of a request or response body. */
export function noteBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || ('email' in body && body.email === BUILT_IN_EMAIL)) return;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'object') noteBody(value);
    else if (name === 'token' && typeof value === 'string') noteToken(value);
    else if (SECRET_FIELDS.has(name) && typeof value === 'string') noteSecrets(value);
  }
}
