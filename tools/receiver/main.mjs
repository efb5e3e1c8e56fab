// @ts-check
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { isFree } from '../services/ports.mjs';
import { runLogged } from '../services/run.mjs';
import { makeDataDir, PlainError, root } from '../workspace.mjs';
import { describe } from './describe.mjs';
import { readOptions } from './options.mjs';

const greatestBody = 1024 * 1024;

/**
 * Runs `npm run receiver`.
 * @param {string[]} args
 */
export async function main(args) {
  const options = readOptions(args);
  if (!options) return;
  const verify = await loadVerify();
  const port = options.port ?? (await nextFreePort(4000));
  if (!(await isFree(port)))
    throw new PlainError(
      `Port ${port} is taken. Choose another: npm run receiver -- --port ${await nextFreePort(port + 1)}`,
    );

  let count = 0;
  /** @type {Set<string>} */
  const seen = new Set();
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    // Reading fails when the body is too long or the sender has aborted the request.
    const body = await readBody(request).catch(() => undefined);
    if (body === undefined) return void response.writeHead(413).end();
    const status = options.statusOf(++count);
    response.writeHead(status).end();
    const id = String(request.headers['webhook-id']);
    console.log(
      describe(
        { headers: request.headers, body, status, isRepeated: seen.has(id) },
        { ...options, verify, now: new Date() },
      ),
    );
    seen.add(id);
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
  server.listen(port, options.host, () => printStart(`http://${options.host}:${port}/`, options.keys.length));
}

/**
 * Loads `@ats/webhook-signing`, and builds it first when necessary.
 * @returns {Promise<import('./describe.mjs').Verify>}
 */
async function loadVerify() {
  if (existsSync(join(root, 'libs/webhook-signing/dist/index.js')))
    return (await import('@ats/webhook-signing')).verify;
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const logFile = join(logs, 'receiver.log');
  writeFileSync(logFile, '', { mode: 0o600 });
  const build = await runLogged({
    command: process.execPath,
    args: ['node_modules/.bin/nx', 'build', '@ats/webhook-signing'],
    cwd: root,
    logFile,
  });
  if (!build.ok) throw new PlainError(`${build.tail}\n\n@ats/webhook-signing could not be built`);
  return (await import('@ats/webhook-signing')).verify;
}

/**
 * Returns the first free port from `port` on.
 * @param {number} port @returns {Promise<number>}
 */
const nextFreePort = async (port) => ((await isFree(port)) ? port : nextFreePort(port + 1));

/**
 * Reads the body of a request.
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Buffer | undefined>} undefined for a body that is too long
 */
async function readBody(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > greatestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Prints the URL of the receiver, and how to use the receiver.
 * @param {string} url @param {number} keyCount
 */
function printStart(url, keyCount) {
  console.log(`Receiving at ${url}`);
  if (keyCount > 0)
    return console.log(
      `Signatures are checked with ${keyCount === 1 ? 'one key' : `${keyCount} keys`}. Ctrl-C stops the receiver.\n`,
    );
  console.log('`--key <signing_key>` verifies the signatures. Ctrl-C stops the receiver.\n');
}
