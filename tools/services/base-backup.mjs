// @ts-check
import { chownSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOf, privateDir, serviceAccount } from './user.mjs';

/** Files of the running server that are not part of a backup. */
const skippedFiles = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'tablespace_map',
  'standby.signal',
  'recovery.signal',
  'pg_internal.init',
]);
/** Directories that are empty in a backup. The write-ahead log comes from the primary or from an archive. */
const emptyDirs = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/**
 * Copies the data of a running PostgreSQL with the steps of `pg_basebackup`, which the npm package of PostgreSQL does
 * not contain. The copy is usable only with the write-ahead log between `pg_backup_start` and `pg_backup_stop`.
 * @param {object} options
 * @param {string} options.url URL of the running server, with its superuser
 * @param {string} options.from data directory of the server
 * @param {string} options.to a directory that must not exist
 * @param {string} [options.slot] name of a replication slot to create; the primary keeps the write-ahead log for it
 * @param {boolean} [options.waitForArchive] true to wait until the archive has the write-ahead log of the backup
 */
export async function takeBaseBackup({ url, from, to, slot, waitForArchive = false }) {
  const { default: pg } = await import('pg');
  const account = ownerOf(from, serviceAccount());
  const client = new pg.Client(url);
  await client.connect();
  try {
    if (slot) await client.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
    await client.query(`SELECT pg_backup_start('base backup', fast => true)`);
    privateDir(to, account);
    copyDir(from, to, account);
    const { rows } = await client.query('SELECT labelfile, spcmapfile FROM pg_backup_stop($1)', [waitForArchive]);
    writeOwned(join(to, 'backup_label'), rows[0].labelfile, account);
    if (rows[0].spcmapfile) writeOwned(join(to, 'tablespace_map'), rows[0].spcmapfile, account);
  } finally {
    await client.end();
  }
}

/**
 * Turns a base backup into a standby that follows its primary from its first start.
 * @param {{ dir: string, primaryUrl: string, slot: string }} options
 */
export function makeStandby({ dir, primaryUrl, slot }) {
  const account = ownerOf(dir, serviceAccount());
  writeOwned(join(dir, 'standby.signal'), '', account);
  writeSettings(dir, { primary_conninfo: primaryUrl, primary_slot_name: slot, hot_standby: 'on' }, account);
}

/**
 * Prepares a base backup for a point-in-time restore from an archive of the write-ahead log. After the restore it is an
 * independent server.
 * @param {{ dir: string, settings: Record<string, string> }} options `settings`: `restore_command` and
 *   `recovery_target_*`
 */
export function makeRestored({ dir, settings }) {
  const account = ownerOf(dir, serviceAccount());
  writeOwned(join(dir, 'recovery.signal'), '', account);
  writeSettings(dir, { recovery_target_action: 'promote', ...settings }, account);
}

/**
 * Writes settings to a file that only the server can read. They are not passed as arguments, because `ps` shows them.
 * @param {string} dir
 * @param {Record<string, string>} settings
 * @param {import('./user.mjs').Account | undefined} account
 */
function writeSettings(dir, settings, account) {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  writeOwned(join(dir, 'postgresql.auto.conf'), lines.join(''), account);
}

/**
 * Copies a directory of a running server, with the files that a backup needs.
 * @param {string} from
 * @param {string} to
 * @param {import('./user.mjs').Account | undefined} account
 */
function copyDir(from, to, account) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name.startsWith('pgsql_tmp')) continue;
      mkdirSync(target, { recursive: true, mode: 0o700 });
      if (account) chownSync(target, account.uid, account.gid);
      if (emptyDirs.has(entry.name)) continue;
      copyDir(source, target, account);
    } else if (entry.isFile() && !skippedFiles.has(entry.name) && !entry.name.startsWith('pgsql_tmp'))
      copyFile(source, target, account);
  }
}

/**
 * Copies a file while the server keeps writing. A file that the server removes meanwhile is not needed. The write-ahead
 * log repairs a file that the server changes meanwhile.
 * @param {string} from
 * @param {string} to
 * @param {import('./user.mjs').Account | undefined} account
 */
function copyFile(from, to, account) {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!existsSync(from)) return;
    throw error;
  }
  if (account) chownSync(to, account.uid, account.gid);
}

/**
 * Writes a file that only the account of the server can read.
 * @param {string} file
 * @param {string} text
 * @param {import('./user.mjs').Account | undefined} account
 */
function writeOwned(file, text, account) {
  writeFileSync(file, text, { mode: 0o600 });
  if (account) chownSync(file, account.uid, account.gid);
}
