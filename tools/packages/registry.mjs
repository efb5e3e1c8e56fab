// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** @typedef {{ url: string, npmrc: string, stop: () => void }} PrivateRegistry */

/**
 * Starts a private registry (Verdaccio) on 127.0.0.1. It has the scope `@ats` only, and asks no other registry.
 * @param {string} tools the folder with the installed tools of the rehearsal
 * @param {string} dir an empty folder
 * @returns {Promise<PrivateRegistry>} `npmrc` has the lines with which npm uses it
 */
export async function startRegistry(tools, dir) {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const config = {
    storage: join(dir, 'storage'),
    auth: { htpasswd: { file: join(dir, 'htpasswd') } },
    uplinks: {},
    packages: { '@ats/*': { access: '$all', publish: '$all', unpublish: '$all' } },
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'error' },
  };
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'config.yaml');
  writeFileSync(file, JSON.stringify(config)); // The file must be YAML. JSON is valid YAML.
  const program = join(tools, 'node_modules/verdaccio/bin/verdaccio');
  const child = spawn(process.execPath, [program, '--config', file, '--listen', host], {
    cwd: dir,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = () => void child.kill('SIGKILL');
  process.on('exit', stop);
  const url = `http://${host}/`;
  await untilAnswers(url, () => child.exitCode === null);
  // npm publishes nothing without a token. This registry accepts any token.
  return { url, npmrc: `@ats:registry=${url}\n//${host}/:_authToken=rehearsal\n`, stop };
}

/**
 * Waits until the registry answers. Throws when that takes longer than a minute.
 * @param {string} url @param {() => boolean} isRunning
 */
async function untilAnswers(url, isRunning) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && isRunning()) {
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the private registry did not start');
}

/**
 * Finds a port that is free at the moment.
 * @returns {Promise<number>}
 */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
