// @ts-check
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from } from 'pg-copy-streams';

/** @typedef {readonly (string | number | boolean | null | readonly string[])[]} Row */

const CHUNK = 128 * 1024;

/**
 * Streams rows into a table with COPY. Generates rows no faster than the database takes them.
 * @param {import('pg').Client} client
 * @param {import('./tables.mjs').Table} table
 * @param {(rows: number) => void} [report] called at intervals
 * @returns {Promise<number>} the number of rows
 */
export async function copyRows(client, { name, columns, rows }, report) {
  let count = 0;
  function* chunks() {
    let text = '';
    for (const row of rows()) {
      text += line(row);
      count++;
      if (text.length < CHUNK) continue;
      yield Buffer.from(text);
      text = '';
      report?.(count);
    }
    if (text) yield Buffer.from(text);
  }
  await pipeline(
    Readable.from(chunks(), { objectMode: true, highWaterMark: 4 }),
    client.query(from(`COPY ${name} (${columns}) FROM STDIN`)),
  );
  return count;
}

/**
 * Formats a row as a line for COPY.
 * @param {Row} row
 */
function line(row) {
  let text = '';
  for (let index = 0; index < row.length; index++) text += (index === 0 ? '' : '\t') + field(row[index]);
  return `${text}\n`;
}

/**
 * Formats a value for COPY.
 * @param {Row[number]} value
 */
function field(value) {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escape(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return value.length === 0 ? '{}' : escape(`{${value.map(element).join(',')}}`);
}

/** Quotes an element of an array. @param {string} text */
const element = (text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const special = /[\\\t\n\r]/;
const escapes = /** @type {Record<string, string>} */ ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' });

/**
 * Escapes the characters that have a meaning in COPY.
 * @param {string} text
 */
const escape = (text) => (special.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (sign) => escapes[sign]) : text);
