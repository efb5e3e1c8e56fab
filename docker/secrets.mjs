// @ts-check
// Generates the secrets of an installation that uses compose.yaml. Existing secrets are never replaced.
// `--token` prints the token of the first credential.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

const dir = process.env.SECRETS_DIR ?? '/run/ats';
/**
 * Id of the group of the apps' user in the images. Root owns the files; PostgreSQL's image reads its password as root.
 */
const apps = 1000;
const rootOnly = 0;

/**
 * Writes a file atomically: a process that is killed during the write leaves no partial secret.
 * @param {string} name @param {string} text @param {number} readers id of the group that may read the file
 */
function writeOnce(name, text, readers) {
  const file = join(dir, name);
  if (existsSync(file)) return;
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: 0o440, flag: 'wx' });
  if (process.getuid?.() === 0) chownSync(unfinished, 0, readers);
  renameSync(unfinished, file);
}

/** @param {string} name */
const read = (name) => readFileSync(join(dir, name), 'utf8');
/** @param {number} bytes */
const hex = (bytes) => randomBytes(bytes).toString('hex');

if (process.argv.includes('--token')) {
  console.log(parseEnv(read('migrate.env')).BOOTSTRAP_TOKEN);
} else {
  mkdirSync(dir, { recursive: true });
  writeOnce('postgres-password', process.env.POSTGRES_PASSWORD || hex(24), rootOnly);
  writeOnce(
    'migrate.env',
    `BOOTSTRAP_TOKEN=${process.env.BOOTSTRAP_TOKEN || `ats_${hex(6)}_${randomBytes(32).toString('base64url')}`}\n`,
    apps,
  );
  const databaseUrl = `postgresql://ats:${encodeURIComponent(read('postgres-password'))}@postgres:5432/ats`;
  writeOnce('apps.env', `DATABASE_URL=${databaseUrl}\nSECRET_KEY=${hex(32)}\n`, apps);
}
