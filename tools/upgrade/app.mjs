// @ts-check
import { join } from 'node:path';
import { freePort } from '../services/ports.mjs';
import { sleep, startProcess } from '../services/processes.mjs';
import { runLogged } from '../services/run.mjs';
import { PlainError } from '../workspace.mjs';

const readyTimeoutMs = 60_000;

/**
 * One process of the service.
 * @typedef {object} App
 * @property {string} url
 * @property {() => Promise<void>} stop sends SIGTERM and expects exit code 0
 */

/**
 * Starts an app and waits until it is ready.
 * @param {'api' | 'notifier'} name
 * @param {string} dir the workspace of the app's release
 * @param {Record<string, string>} settings
 * @param {string} logFile
 * @returns {Promise<App>}
 */
export async function startApp(name, dir, settings, logFile) {
  const port = await freePort();
  const env = { PATH: process.env.PATH, ...settings, [name === 'api' ? 'PORT' : 'NOTIFIER_PORT']: String(port) };
  const running = await startProcess({
    name,
    command: process.execPath,
    args: [join(dir, `apps/${name}/dist/main.js`)],
    env,
    cwd: dir,
    logFile,
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + readyTimeoutMs;
  while (
    !(await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (running.hasExited || Date.now() > deadline) {
      await running.stop();
      throw new PlainError(`${name} of ${dir} did not become ready, see ${logFile}`);
    }
    await sleep(50);
  }
  return {
    url,
    async stop() {
      await running.stop();
      const { code, signal } = await running.exited;
      if (code !== 0)
        throw new PlainError(
          `${name} of ${dir} must end with exit code 0 after SIGTERM, but ended with ${signal ?? code}`,
        );
    },
  };
}

/**
 * Runs `migrate` of a release.
 * @param {string} dir the workspace of the release @param {Record<string, string>} settings @param {string} logFile
 */
export async function migrate(dir, settings, logFile) {
  const { ok, tail } = await runLogged({
    command: process.execPath,
    args: [join(dir, 'libs/domain/dist/cli/migrate.js')],
    env: { PATH: process.env.PATH, ...settings },
    cwd: dir,
    logFile,
  });
  if (!ok) throw new PlainError(`the migrations of ${dir} failed:\n${tail}`);
}
