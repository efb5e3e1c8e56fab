import { type ChildProcess } from 'node:child_process';
import { appendFileSync, createWriteStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The folder in which a run keeps all that its processes print, and what must not be in there: the end of the run holds one against
 * the other (`tools/run-log`). Undefined where nobody does.
 */
export const runLogFolder = (): string | undefined => process.env['RUN_LOG_FOLDER'];

const SECRETS_FILE = 'secrets.jsonl';

/** What of a body is a secret, or about a person. */
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
/** A shorter text may be in a log by chance. */
const SHORTEST = 6;

/** Keeps everything that a process prints, in a file of its own. */
export function keepOutput(child: ChildProcess, script: string): void {
  const folder = runLogFolder();
  if (!folder) return;
  const app = script.startsWith('apps/') ? basename(dirname(dirname(script))) : basename(script, '.js');
  const file = createWriteStream(join(folder, `${app}-${child.pid}.log`), { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => file.write(chunk));
  child.once('close', () => file.end());
}

/** Notes what no process may ever print. */
export function noteSecrets(...secrets: readonly (string | undefined)[]): void {
  const folder = runLogFolder();
  const long = secrets.filter((secret) => secret !== undefined && secret.length >= SHORTEST);
  if (folder && long.length > 0)
    appendFileSync(join(folder, SECRETS_FILE), long.map((secret) => `${JSON.stringify(secret)}\n`).join(''));
}

/** Whole, without its public part, and as `Authorization: Basic` has it. */
export const noteToken = (token: string): void =>
  noteSecrets(token, /^ats_[^_]+_(.+)$/.exec(token)?.[1], Buffer.from(`${token}:`).toString('base64'));

/** The keys and passwords that a process is started with. */
export function noteSettings(settings: Readonly<Record<string, string>>): void {
  noteSecrets(settings['SECRET_KEY']);
  if (settings['BOOTSTRAP_TOKEN']) noteToken(settings['BOOTSTRAP_TOKEN']);
  for (const value of Object.values(settings)) if (URL.canParse(value)) noteSecrets(new URL(value).password);
}

/** What a body that was sent or received has of tokens, keys, names and addresses. */
export function noteBody(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'object') noteBody(value);
    else if (name === 'token' && typeof value === 'string') noteToken(value);
    else if (SECRET_FIELDS.has(name) && typeof value === 'string') noteSecrets(value);
  }
}
