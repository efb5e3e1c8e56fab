// @ts-check
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from '../workspace.mjs';

/**
 * The addresses and the token of a running service.
 * @typedef {object} Addresses
 * @property {string} base
 * @property {string} [token]
 * @property {string} [mailbox]
 * @property {string} [databaseUrl]
 */

/**
 * Writes the variables that the commands of the guides use. Shells read the file with `. .data/start.env`, so the
 * commands do not depend on the ports of the service. A secret that `npm start` did not make is not stored.
 * @param {Addresses} addresses of the service. Values that the user's environment has are absent
 */
export const writeAddresses = (addresses) =>
  writeFileSync(join(makeDataDir(), 'start.env'), addressText(addresses), { mode: 0o600 });

/** @param {Addresses} addresses */
export function addressText({ base, token, mailbox = '', databaseUrl }) {
  const lines = {
    BASE: quoted(base),
    ATS: quoted(`${base}/api/v1`),
    TOKEN: token === undefined ? '"$BOOTSTRAP_TOKEN"' : quoted(token),
    MAILBOX: quoted(mailbox),
    DATABASE_SERVER: quoted(databaseUrl === undefined ? '' : new URL(databaseUrl).href.replace(/\/[^/]*$/, '')),
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", `'\\''`)}'`;
