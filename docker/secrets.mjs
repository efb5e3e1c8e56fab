// @ts-check
// Makes the secrets of an installation with compose, once: what is there stays as it is. `--token` prints the first credential's.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

const dir = process.env.SECRETS_DIR ?? '/run/ats';
/** The group of the images' user. Files are root's, who makes them here and reads a password for PostgreSQL there. */
const apps = 1000;
const rootAlone = 0;

/**
 * As a whole or not at all, should we be ended meanwhile.
 * @param {string} name @param {string} text @param {number} readers a group
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
  writeOnce('postgres-password', process.env.POSTGRES_PASSWORD || hex(24), rootAlone);
  writeOnce(
    'migrate.env',
    `BOOTSTRAP_TOKEN=${process.env.BOOTSTRAP_TOKEN || `ats_${hex(6)}_${randomBytes(32).toString('base64url')}`}\n`,
    apps,
  );
  const databaseUrl = `postgresql://ats:${encodeURIComponent(read('postgres-password'))}@postgres:5432/ats`;
  writeOnce('apps.env', `DATABASE_URL=${databaseUrl}\nSECRET_KEY=${hex(32)}\n`, apps);
}
