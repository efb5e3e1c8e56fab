// @ts-check
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir, PlainError } from '../workspace.mjs';

/**
 * Settings that the first `npm start` creates. Later starts keep them, so that tokens and encrypted columns stay valid.
 * @typedef {object} Settings
 * @property {string} secretKey
 * @property {string} bootstrapToken
 * @property {string} databasePassword
 * @property {string} apiDatabasePassword
 * @property {string} redisPassword
 * @property {number} [databasePort]
 * @property {number} [redisPort]
 */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const keyId = () => Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('');
const file = () => join(makeDataDir(), 'dev.json');

export const hasSettings = () => existsSync(file());

/**
 * Reads the settings. The first call creates them.
 * @returns {Settings}
 */
export function readSettings() {
  const fresh = {
    secretKey: randomBytes(32).toString('hex'),
    bootstrapToken: `ats_${keyId()}_${randomBytes(32).toString('base64url')}`,
    databasePassword: randomBytes(18).toString('base64url'),
    apiDatabasePassword: randomBytes(18).toString('base64url'),
    redisPassword: randomBytes(18).toString('base64url'),
  };
  if (!existsSync(file())) return writeSettings(fresh);
  try {
    const kept = JSON.parse(readFileSync(file(), 'utf8'));
    const settings = { ...fresh, ...kept };
    return Object.keys(settings).length > Object.keys(kept).length ? writeSettings(settings) : settings;
  } catch (error) {
    throw new PlainError(
      `${file()} cannot be read (${/** @type {Error} */ (error).message}). Delete .data to start over.`,
    );
  }
}

/**
 * Stores the settings.
 * @param {Settings} settings
 */
export function writeSettings(settings) {
  writeFileSync(file(), JSON.stringify(settings, undefined, 2) + '\n', { mode: 0o600 });
  return settings;
}
