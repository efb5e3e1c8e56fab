import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { guardDir, unguardDir } from '../../tools/services/guard.mjs';
import { freePort } from '../../tools/services/ports.mjs';
import { startPostgres, throwAwaySettings } from '../../tools/services/postgres.mjs';
import { kill } from '../../tools/services/processes.mjs';
import { findOrInstallRedis, startRedis, throwAwayRedis } from '../../tools/services/redis.mjs';
import { temporaryDir } from '../../tools/services/test-services.mjs';
import { makeDataDir } from '../../tools/workspace.mjs';

/** Starts a PostgreSQL and two Redis servers. Each can be stopped, frozen and restarted at the same address. */
export async function startServers() {
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const command = await findOrInstallRedis({ logFile: join(logs, 'install.log'), say: console.error });
  const dir = temporaryDir();
  guardDir(dir);
  const password = randomBytes(18).toString('base64url');
  const log = join(logs, 'bench-servers.log');
  const postgres = {
    dir: join(dir, 'postgres'),
    port: await freePort(),
    password,
    logFile: log,
    settings: throwAwaySettings,
  };
  const redis = async (name) => ({
    command,
    dir: join(dir, name),
    port: await freePort(),
    password,
    logFile: log,
    settings: throwAwayRedis,
  });
  const servers = {
    postgres: new Server(() => startPostgres(postgres)),
    steady: new Server(startRedis, await redis('steady')),
    broken: new Server(startRedis, await redis('broken')),
  };
  await Promise.all(Object.values(servers).map((server) => server.start()));
  return {
    ...servers,
    async stop() {
      await Promise.all(Object.values(servers).map((server) => server.end()));
      rmSync(dir, { recursive: true, force: true });
      unguardDir(dir);
    },
  };
}

class Server {
  #start;
  #options;
  #started;

  constructor(start, options) {
    this.#start = start;
    this.#options = options;
  }

  async start() {
    this.#started = await this.#start(this.#options);
  }

  get started() {
    return this.#started;
  }

  async end() {
    await this.#started.server.stop();
  }

  /** Freezes the server and its child processes. @returns a function that resumes them */
  freeze() {
    const { pid } = this.#started.server;
    const pids = [pid, ...childrenOf(pid)];
    for (const each of pids) kill(each, 'SIGSTOP');
    return () => pids.forEach((each) => kill(each, 'SIGCONT'));
  }
}

function childrenOf(pid) {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return []; // `pgrep` fails when there are no child processes.
  }
}
