// @ts-check
// Generates the secrets and the certificate of an installation that uses compose.yaml. Existing files are never
// replaced.
// `--token` prints the token of the first credential.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { selfSigned } from './self-signed.mjs';

const dir = process.env.SECRETS_DIR ?? '/run/ats';
const tlsDir = process.env.TLS_DIR ?? '/run/tls';
/**
 * Id of the group of the apps' user in the images. Root owns the files; PostgreSQL's image reads its password as root.
 */
const apps = 1000;
/** Id of the group of the proxy's user in its image. */
const proxy = 99;
const rootOnly = 0;
/** Ten years, because nothing renews the certificate. */
const CERTIFICATE_DAYS = 3_650;

/**
 * Writes a file atomically: a process that is killed during the write leaves no partial secret.
 * @param {string} file @param {string} text @param {number} readers id of the group that may read the file
 */
function writeOnce(file, text, readers) {
  if (existsSync(file)) return;
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: 0o440, flag: 'wx' });
  if (process.getuid?.() === 0) chownSync(unfinished, 0, readers);
  renameSync(unfinished, file);
}

/**
 * Makes a self-signed certificate for the proxy, unless the folder has a certificate. The key is written first: when the
 * certificate exists, its key does too.
 */
function writeCertificate() {
  const [cert, key] = [join(tlsDir, 'tls.crt'), join(tlsDir, 'tls.key')];
  if (existsSync(cert)) return;
  const host = new URL(process.env.PUBLIC_BASE_URL || 'https://localhost').hostname;
  const made = selfSigned({ hosts: [...new Set([host, 'localhost', '127.0.0.1'])], days: CERTIFICATE_DAYS });
  mkdirSync(tlsDir, { recursive: true });
  rmSync(key, { force: true });
  writeOnce(key, made.key, proxy);
  writeOnce(cert, made.cert, proxy);
}

/** @param {string} name */
const read = (name) => readFileSync(join(dir, name), 'utf8');
/** @param {number} bytes */
const hex = (bytes) => randomBytes(bytes).toString('hex');

if (process.argv.includes('--token')) {
  console.log(parseEnv(read('migrate.env')).BOOTSTRAP_TOKEN);
} else {
  mkdirSync(dir, { recursive: true });
  writeOnce(join(dir, 'postgres-password'), process.env.POSTGRES_PASSWORD || hex(24), rootOnly);
  writeOnce(
    join(dir, 'migrate.env'),
    `BOOTSTRAP_TOKEN=${process.env.BOOTSTRAP_TOKEN || `ats_${hex(6)}_${randomBytes(32).toString('base64url')}`}\n`,
    apps,
  );
  const databaseUrl = `postgresql://ats:${encodeURIComponent(read('postgres-password'))}@postgres:5432/ats`;
  writeOnce(join(dir, 'apps.env'), `DATABASE_URL=${databaseUrl}\nSECRET_KEY=${hex(32)}\n`, apps);
  writeCertificate();
}
