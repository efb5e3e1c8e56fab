// @ts-check
// Generates the secrets and the certificate of an installation that uses compose.yaml. Existing secrets are never
// replaced. The files that follow from the secrets and from docker/.env are written anew at each start.
// `--token` prints the token of the first credential.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { selfSigned } from './self-signed.mjs';

const dir = process.env.SECRETS_DIR ?? '/run/ats';
/** The secrets for the API have a volume of their own: the API may not read the password of the database's owner. */
const apiDir = process.env.API_SECRETS_DIR ?? '/run/api';
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

/** @param {string} file @param {string} text @param {number} readers id of the group that may read the file */
function writeOnce(file, text, readers) {
  if (!existsSync(file)) write(file, text, readers);
}

/**
 * Writes a file atomically: a process that is killed during the write leaves no partial secret.
 * @param {string} file @param {string} text @param {number} readers id of the group that may read the file
 */
function write(file, text, readers) {
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
/** The environment without empty variables, which count as absent. @returns {NodeJS.ProcessEnv} */
const given = () => Object.fromEntries(Object.entries(process.env).filter(([, value]) => value));
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
  /** @param {string} role @param {string} password */
  const databaseUrl = (role, password) => `postgresql://${role}:${encodeURIComponent(password)}@postgres:5432/ats`;
  const ownerUrl = databaseUrl('ats', read('postgres-password'));
  writeOnce(join(dir, 'apps.env'), `DATABASE_URL=${ownerUrl}\nSECRET_KEY=${hex(32)}\n`, apps);
  writeOnce(join(dir, 'api-password'), hex(24), rootOnly);
  writeOnce(join(dir, 'redis-password'), hex(24), rootOnly);
  write(join(dir, 'redis.conf'), `requirepass ${read('redis-password')}\n`, rootOnly);
  const redisUrl = `REDIS_URL=redis://:${read('redis-password')}@redis:6379\n`;
  write(join(dir, 'redis.env'), redisUrl, apps);
  // When the operator sets DATABASE_URL but not API_DATABASE_URL, the API uses DATABASE_URL like the other processes.
  const { DATABASE_URL, API_DATABASE_URL = DATABASE_URL ? '' : databaseUrl('ats_api', read('api-password')) } = given();
  write(join(dir, 'api-role.env'), `API_DATABASE_URL=${API_DATABASE_URL}\n`, apps);
  mkdirSync(apiDir, { recursive: true });
  const { SECRET_KEY } = parseEnv(read('apps.env'));
  const apiSecrets = `DATABASE_URL=${API_DATABASE_URL || DATABASE_URL}\nSECRET_KEY=${SECRET_KEY}\n${redisUrl}`;
  write(join(apiDir, 'api.env'), apiSecrets, apps);
  writeCertificate();
}
