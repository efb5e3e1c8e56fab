// @ts-check
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canInstallPackages, installPackages } from '../services/debian-package.mjs';
import { guardDir, unguardDir } from '../services/guard.mjs';
import { startProcess } from '../services/processes.mjs';
import { runLogged } from '../services/run.mjs';
import { makeDataDir, PlainError, root } from '../workspace.mjs';

/** The Debian release of the public image `node:24-slim`. */
const suite = 'bookworm';
const commands = ['podman', 'runc', 'debootstrap'];

/**
 * True when a program is not on the PATH.
 * @param {string} command
 */
const isMissing = (command) =>
  !(process.env.PATH ?? '').split(':').some((dir) => existsSync(join(dir, command))) &&
  !existsSync(join('/usr/sbin', command));

/**
 * Installs the engine where `canInstallPackages` allows it.
 * @param {{ logFile: string, say: (line: string) => void }} options
 * @returns {Promise<string | undefined>} the reason why no image can be built here; undefined when images can be built
 */
export async function findObstacle({ logFile, say }) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'podman needs root on Linux';
  const missing = commands.filter(isMissing);
  if (missing.length === 0) return undefined;
  if (!canInstallPackages()) return `${missing.join(', ')} not found and cannot be installed here`;
  const isThere = () => !missing.some(isMissing);
  try {
    await installPackages({ names: missing, logFile, say, isThere, otherwise: '' });
    return undefined;
  } catch (error) {
    if (error instanceof PlainError) return `${missing.join(', ')} could not be installed, see ${logFile}`;
    throw error;
  }
}

/** Runs Podman with a storage of its own in `.data`, so that later builds reuse the layers of earlier builds. */
export class Engine {
  #logFile;
  #storage = join(makeDataDir(), 'container');

  /** @param {{ logFile: string }} options */
  constructor({ logFile }) {
    this.#logFile = logFile;
    mkdirSync(this.#storage, { recursive: true, mode: 0o700 });
  }

  /** Uses runc, because crun refuses machines with both versions of cgroups. @param {readonly string[]} args */
  #args(args) {
    const [storage, state] = [join(this.#storage, 'storage'), join(this.#storage, 'run')];
    const places = ['--root', storage, '--runroot', state, '--cgroup-manager', 'cgroupfs', '--events-backend', 'none'];
    return ['--runtime', 'runc', ...places, ...args];
  }

  /** @param {readonly string[]} args @returns {string} the standard output, trimmed */
  query(...args) {
    return execFileSync('podman', this.#args(args), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  }

  /** @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
  run(args, env) {
    return runLogged({
      command: 'podman',
      args: this.#args(args),
      logFile: this.#logFile,
      env: { ...process.env, ...env },
    });
  }

  /** @param {{ name: string, args: readonly string[], env: NodeJS.ProcessEnv, logFile: string }} options */
  start({ name, args, env, logFile }) {
    return startProcess({ name, command: 'podman', args: this.#args(args), env: { ...process.env, ...env }, logFile });
  }

  /** @param {string} image */
  has(image) {
    try {
      this.query('image', 'inspect', '--format', '{{.Id}}', image);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * @param {{ image: string, dockerfile: string, context?: string, base?: string }} options
   * @throws {PlainError} with the end of the log when a step fails
   */
  async build({ image, dockerfile, context = root, base }) {
    const argument = base ? ['--build-arg', `BASE=${base}`] : [];
    const limits = ['--ulimit', `nofile=${openFilesLimit()}`];
    const how = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker', ...limits];
    const inputs = [...mounts(this.#storage), ...argument];
    const { ok, tail } = await this.run(['build', ...how, ...inputs, '-t', image, '-f', dockerfile, context]);
    if (!ok) throw new PlainError(`the image ${image} could not be built:\n${tail}`);
  }

  /**
   * Makes a replacement of the public base image: Debian with the Node of the workspace and the npm of this machine.
   * @param {string} image name of the image; an existing image stays unchanged
   */
  async makeBase(image) {
    if (this.has(image)) return;
    const home = mkdtempSync(join(tmpdir(), 'ats-base-'));
    guardDir(home);
    try {
      const [debian, archive] = [join(home, 'root'), join(home, 'root.tar')];
      await this.#must('debootstrap', ['--variant=minbase', suite, debian]);
      const bin = join(debian, 'usr/local/bin');
      cpSync(realpathSync(process.execPath), join(bin, 'node'));
      const npm = dirname(
        dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())),
      );
      cpSync(npm, join(debian, 'usr/local/lib/node_modules/npm'), { recursive: true });
      for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
      await this.#must('tar', ['-C', debian, '-cf', archive, '.']);
      await this.#must('podman', this.#args(['import', archive, image]));
    } finally {
      rmSync(home, { recursive: true, force: true });
      unguardDir(home);
    }
  }

  /** @param {string} command @param {readonly string[]} args */
  async #must(command, args) {
    const { ok, tail } = await runLogged({ command, args, logFile: this.#logFile });
    if (!ok) throw new PlainError(`${command} failed\n${tail}`);
  }

  /**
   * Mounts the files of an image while `look` runs.
   * @template Result
   * @param {string} image @param {(dir: string) => Result} look
   */
  withFiles(image, look) {
    const dir = this.query('image', 'mount', image);
    try {
      return look(dir);
    } finally {
      this.query('image', 'unmount', image);
    }
  }

  /** Deletes layers that no image has used for a week. */
  prune() {
    this.query('image', 'prune', '--force', '--filter', 'until=168h');
  }
}

/**
 * Returns the greatest number of open files that this process may set. Podman gives a build 1,024, and `npm ci` fails
 * with EMFILE when it reads the packages of the workspace from the cache.
 */
function openFilesLimit() {
  const limit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
  return limit === 'unlimited' ? '1048576' : limit;
}

/**
 * Returns the mounts by which a build uses this machine's name resolution, certificates, and settings and cache of npm.
 * No layer of the image contains these files.
 * @param {string} dir directory for the generated settings of npm
 */
function mounts(dir) {
  const npm = (/** @type {string} */ name) =>
    execFileSync('npm', ['config', 'get', name, '--loglevel=silent'], { cwd: '/', encoding: 'utf8' }).trim();
  const certificates = process.env.NODE_EXTRA_CA_CERTS ?? npm('cafile');
  const inside = '/etc/ssl/certs/of-the-host.pem';
  const settings = join(dir, 'npmrc');
  writeFileSync(settings, `registry=${npm('registry')}\n${existsSync(certificates) ? `cafile=${inside}\n` : ''}`);
  const files = [
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    ['/etc/hosts', '/etc/hosts'],
    [certificates, inside],
    [settings, '/usr/local/etc/npmrc'],
    [npm('userconfig'), '/root/.npmrc'],
  ];
  const cache = npm('cache');
  mkdirSync(cache, { recursive: true });
  const volumes = files.filter(([file = '']) => existsSync(file)).map(([file, to]) => `${file}:${to}:ro`);
  return [...volumes, `${cache}:/root/.npm`].flatMap((volume) => ['-v', volume]);
}
