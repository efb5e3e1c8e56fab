// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runLogged } from '../services/run.mjs';
import { PlainError } from '../workspace.mjs';
import { copy, ignored } from './context.mjs';
import { parseCommand, parseCopy, parseDockerfile } from './dockerfile.mjs';
import { cachedLayer } from './layers.mjs';

/**
 * @typedef {object} Image what a build leaves, for as far as it can be known without a container engine
 * @property {string} base
 * @property {string} dir the working directory with all files of the image's own
 * @property {Record<string, string>} env
 * @property {string} user
 * @property {string[]} command
 * @property {string[]} healthcheck
 */

/** @typedef {{ root: string, image: Image }} BuiltStage */

/**
 * Follows Dockerfiles in directories of its own. The base image stands for "a POSIX system with this Node and npm".
 * Stages that are the same in several files are built once.
 */
export class Builder {
  #context;
  #home;
  #logFile;
  /** @type {Map<string, BuiltStage>} by everything that went into the stage */
  #built = new Map();

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
    /** @type {Map<string, { built: BuiltStage, key: string }>} */
    const stages = new Map();
    let last;
    for (const stage of parseDockerfile(readFileSync(file, 'utf8'))) {
      const earlier = [...stages].filter(([name]) => stage.instructions.some(({ text }) => text.includes(`--from=${name}`))).map(([, { key }]) => key);
      const key = digest([stage.base, ...earlier, ...stage.instructions.map(({ name, text }) => `${name} ${text}`)]);
      const built = this.#built.get(key) ?? (await this.#buildStage(stage, new Map([...stages].map(([name, { built: { root } }]) => [name, root]))));
      this.#built.set(key, built);
      if (stage.name) stages.set(stage.name, { built, key });
      last = built;
    }
    if (!last) throw new Error(`${file} has no stage`);
    return last.image;
  }

  /**
   * @param {import('./dockerfile.mjs').Stage} stage
   * @param {ReadonlyMap<string, string>} stages the roots of the stages before
   * @returns {Promise<BuiltStage>}
   */
  async #buildStage(stage, stages) {
    const root = mkdtempSync(join(this.#home, `${stage.name ?? 'image'}-`));
    /** @type {Image} */
    const image = { base: stage.base, dir: root, env: {}, user: 'root', command: [], healthcheck: [] };
    for (const { name, text, line } of stage.instructions) {
      if (name === 'WORKDIR') mkdirSync((image.dir = join(root, text)), { recursive: true });
      else if (name === 'ENV') Object.assign(image.env, Object.fromEntries([text.split('=', 2)]));
      else if (name === 'USER') image.user = text;
      else if (name === 'CMD') image.command = parseCommand(text);
      else if (name === 'HEALTHCHECK') image.healthcheck = parseCommand(text);
      else if (name === 'COPY') this.#copy(text, image.dir, stages);
      else if (name === 'RUN') await this.#run(text, line, image);
    }
    return { root, image };
  }

  /** @param {string} text @param {string} dir @param {ReadonlyMap<string, string>} stages */
  #copy(text, dir, stages) {
    const { from, sources, target } = parseCopy(text);
    const root = from === undefined ? this.#context : stages.get(from);
    if (root === undefined) throw new Error(`COPY ${text}: there is no stage ${from}`);
    const isIgnored = from === undefined ? ignored(this.#context) : undefined;
    copy({ from: root, sources, target: target === './' ? dir : join(dir, target), isIgnored });
  }

  /** @param {string} text @param {number} line @param {Image} image */
  async #run(text, line, image) {
    if (/(^|[\s"'=>])\//.test(text)) throw new Error(`line ${line}: RUN names an absolute path, which here would be one of this machine`);
    const run = async () => {
      const { ok, tail } = await runLogged({ command: '/bin/sh', args: ['-c', text], cwd: image.dir, env: this.#environment(image), logFile: this.#logFile });
      if (!ok) throw new PlainError(`line ${line}: RUN ${text}\n${tail}`);
    };
    await (text.startsWith('npm ci') ? cachedLayer({ dir: image.dir, command: text }, run) : run());
  }

  /** @param {Image} image */
  #environment(image) {
    const fromNpm = /^(npm_(package|lifecycle|command|execpath|node_execpath)|npm_config_(local_prefix|user_agent|prefix)$|INIT_CWD$|NODE_ENV$|NODE_OPTIONS$|NX_|TEST_)/;
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromNpm.test(name)));
    const path = (process.env.PATH ?? '').split(delimiter).filter((dir) => !dir.includes('node_modules'));
    return { ...own, ...image.env, PATH: [join(this.#home, 'bin'), ...path].join(delimiter) };
  }

  remove() {
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** @param {string[]} parts */
const digest = (parts) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
