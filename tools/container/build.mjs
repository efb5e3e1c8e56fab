// @ts-check
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runLogged } from '../services/run.mjs';
import { PlainError } from '../workspace.mjs';
import { copy, ignored, linkContents } from './context.mjs';
import { pairsOf, parseCommand, parseCopy, parseDockerfile } from './dockerfile.mjs';
import { cachedLayer, compiled } from './layers.mjs';

/**
 * @typedef {object} Image what a build leaves, for as far as it can be known without a container engine
 * @property {string} base
 * @property {string} dir the working directory with all files of the image's own
 * @property {Record<string, string>} env
 * @property {string} user
 * @property {string[]} command
 * @property {string[]} healthcheck
 * @property {ReadonlyMap<string, string>} labels
 * @property {number} sharedStages how many of its stages another file had too, word by word
 */

/** @typedef {{ root: string, image: Image }} BuiltStage */
/** @typedef {{ key: string, built: Promise<BuiltStage> }} PlannedStage */

/**
 * Follows Dockerfiles in directories of its own. The base image stands for "a POSIX system with this Node and npm".
 * Like an engine it builds stages that are the same in several files once, and those that do not wait for another at once.
 */
export class Builder {
  #context;
  #home;
  #logFile;
  /** @type {Map<string, Promise<BuiltStage>>} by everything that goes into the stage */
  #stages = new Map();
  /** One npm at a time: each is faster alone, and the later ones find what the first has fetched. @type {Promise<unknown>} */
  #npm = Promise.resolve();
  #hasFetched = false;

  /** @param {{ context: string, home: string, logFile: string }} options `home`: an empty directory outside the workspace */
  constructor({ context, home, logFile }) {
    this.#context = context;
    this.#home = home;
    this.#logFile = logFile;
    // The image has Node and npm, not the commands that the workspace has installed.
    mkdirSync(join(home, 'bin'));
    symlinkSync(process.execPath, join(home, 'bin/node'));
  }

  /**
   * @param {string} file
   * @returns {Promise<Image>}
   */
  async build(file) {
    /** @type {Map<string, PlannedStage>} */
    const named = new Map();
    let last;
    let sharedStages = 0;
    for (const stage of parseDockerfile(readFileSync(file, 'utf8'))) {
      const earlier = new Map(
        [...named].filter(([name]) => stage.instructions.some(({ text }) => text.includes(`--from=${name}`))),
      );
      const key = digest([
        stage.base,
        ...[...earlier.values()].map(({ key }) => key),
        ...stage.instructions.map(({ name, text }) => `${name} ${text}`),
      ]);
      const known = this.#stages.get(key);
      if (known) sharedStages++;
      const built = known ?? this.#buildStage(stage, earlier);
      this.#stages.set(key, built);
      built.catch(() => undefined); // told by whoever waits for it
      if (stage.name) named.set(stage.name, { built, key });
      last = built;
    }
    if (!last) throw new Error(`${file} has no stage`);
    return { ...(await last).image, sharedStages };
  }

  /**
   * @param {import('./dockerfile.mjs').Stage} stage
   * @param {ReadonlyMap<string, PlannedStage>} stages those before that it copies from
   * @returns {Promise<BuiltStage>}
   */
  async #buildStage(stage, stages) {
    const root = mkdtempSync(join(this.#home, `${stage.name ?? 'image'}-`));
    chmodSync(root, 0o755); // a container's root is open to all its users
    /** @type {Image} */
    const image = {
      base: stage.base,
      dir: root,
      env: Object.fromEntries(pairsOf(stage, 'ENV')),
      user: 'root',
      command: [],
      healthcheck: [],
      labels: pairsOf(stage, 'LABEL'),
      sharedStages: 0,
    };
    for (const { name, text, line } of stage.instructions) {
      if (name === 'WORKDIR') mkdirSync((image.dir = join(root, text)), { recursive: true });
      else if (name === 'USER') image.user = text;
      else if (name === 'CMD') image.command = parseCommand(text);
      else if (name === 'HEALTHCHECK') image.healthcheck = parseCommand(text);
      else if (name === 'COPY') await this.#copy(text, image.dir, stages);
      else if (name === 'RUN') await this.#run(text, line, image);
    }
    return { root, image };
  }

  /** @param {string} text @param {string} dir @param {ReadonlyMap<string, PlannedStage>} stages */
  async #copy(text, dir, stages) {
    const { from, sources, target } = parseCopy(text);
    const to = target === './' ? dir : join(dir, target);
    if (from === undefined)
      return copy({ from: this.#context, sources, target: to, isIgnored: ignored(this.#context) });
    const stage = stages.get(from);
    if (stage === undefined) throw new Error(`COPY ${text}: there is no stage ${from}`);
    const { root } = await stage.built;
    for (const source of sources.map((source) => join(root, source))) {
      if (!existsSync(source)) throw new Error(`COPY ${text}: there is no ${source}`);
      if (!lstatSync(source).isDirectory())
        throw new Error(`COPY ${text}: tools/container copies directories alone from other stages`);
      mkdirSync(to, { recursive: true });
      linkContents({ from: source, to });
    }
  }

  /** @param {string} text @param {number} line @param {Image} image */
  async #run(text, line, image) {
    if (/(^|[\s"'=>])\//.test(text))
      throw new Error(`line ${line}: RUN names an absolute path, which here would be one of this machine`);
    const run = async () => {
      const { ok, tail } = await runLogged({
        command: '/bin/sh',
        args: ['-c', text],
        cwd: image.dir,
        env: this.#environment(image),
        logFile: this.#logFile,
      });
      if (!ok) throw new PlainError(`line ${line}: RUN ${text}\n${tail}`);
    };
    if (!text.startsWith('npm ci')) return run();
    const fetch = async () => {
      await run();
      this.#hasFetched = true;
    };
    const turn = this.#npm.catch(() => undefined).then(() => cachedLayer({ dir: image.dir, command: text }, fetch));
    this.#npm = turn;
    return turn;
  }

  /** @param {Image} image */
  #environment(image) {
    const fromNpm =
      /^(npm_(package|lifecycle|command|execpath|node_execpath)|npm_config_(local_prefix|user_agent|prefix)$|INIT_CWD$|NODE_ENV$|NODE_OPTIONS$|NX_|TEST_)/;
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromNpm.test(name)));
    const path = (process.env.PATH ?? '').split(delimiter).filter((dir) => !dir.includes('node_modules'));
    // What the first npm has just asked the registry, the next ones need not ask again.
    const offline = this.#hasFetched ? { npm_config_prefer_offline: 'true' } : {};
    return {
      ...own,
      ...compiled(),
      ...offline,
      ...image.env,
      PATH: [join(this.#home, 'bin'), ...path].join(delimiter),
    };
  }

  async remove() {
    await Promise.allSettled(this.#stages.values());
    if (process.getuid?.() !== 0) execFileSync('chmod', ['-R', 'u+w', this.#home]); // what nobody may write, nobody may remove
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** @param {string[]} parts */
const digest = (parts) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
