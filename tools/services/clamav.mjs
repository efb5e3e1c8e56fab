// @ts-check
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PlainError } from '../workspace.mjs';
import { canInstallPackages, installPackages } from './debian-package.mjs';
import { sleep, startProcess } from './processes.mjs';

const program = '/usr/sbin/clamd';

/**
 * The signature of the EICAR test file, in the format of extended signatures. The source has the text in two parts, so
 * that no scanner reports this file.
 */
const eicar = `Eicar-Test-Signature:0:0:${Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
).toString('hex')}\n`;

/**
 * Finds `clamd`, or installs it where `canInstallPackages` allows it. The package has no signatures.
 * @param {{ logFile: string, say: (line: string) => void }} options
 */
export async function findOrInstallClamd({ logFile, say }) {
  if (existsSync(program)) return;
  const otherwise = 'Install the package clamav-daemon.';
  if (!canInstallPackages()) throw new PlainError(`clamd was not found. ${otherwise}`);
  const isThere = () => existsSync(program);
  await installPackages({ names: ['clamav-daemon'], logFile, say, isThere, otherwise });
}

/**
 * Starts a `clamd` that knows the EICAR test file only.
 * @param {{ dir: string, port: number, maxBytes: number }} options `dir`: a folder for its files
 */
export async function startClamd({ dir, port, maxBytes }) {
  const signatures = join(dir, 'signatures');
  const logFile = join(dir, 'clamd.log');
  mkdirSync(signatures, { recursive: true });
  writeFileSync(join(signatures, 'eicar.ndb'), eicar);
  const settings = {
    Foreground: 'yes',
    DatabaseDirectory: signatures,
    TemporaryDirectory: dir,
    TCPAddr: '127.0.0.1',
    TCPSocket: String(port),
    StreamMaxLength: String(maxBytes),
    ConcurrentDatabaseReload: 'no',
  };
  const file = join(dir, 'clamd.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  writeFileSync(file, lines.join(''));
  const server = await startProcess({
    name: 'clamd',
    command: program,
    args: ['--config-file', file],
    cwd: dir,
    logFile,
  });
  const deadline = Date.now() + 60_000;
  while (!(await answers(port))) {
    if (server.hasExited || Date.now() > deadline) {
      await server.stop();
      throw new Error(`clamd did not start, see ${logFile}`);
    }
    await sleep(25);
  }
  return server;
}

/**
 * True when the virus scanner on the port answers.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(port) {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('zPING\0'));
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (data) => (text += data.toString()));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text.startsWith('PONG')));
  });
}
