import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** How the process talks to whoever started it: always there, and nothing that a test has opened. */
const OWN_RESOURCES = new Set(['TTYWrap', 'PipeWrap']);

/** What keeps the process alive, by Node's names of it: sockets, child processes, timers. */
const openResources = () => process.getActiveResourcesInfo().filter((name) => !OWN_RESOURCES.has(name));

/**
 * Jest reporter: a run ends in bounded time and with a failure, whatever its tests leave open or wait for. A test and a hook have
 * Jest's own limit; this one is for a whole spec file, and for what a hook that failed could not close.
 * `<project>/out-test/<suite>.running.json` holds the files that run and since when, for whoever ends the run from outside.
 *
 * `fileSeconds`: what a spec file may take; `endingSeconds`: what the process may take to end by itself once its tests are over.
 */
export default class JestEnding {
  #running = new Map();
  /** How much was open after each file. */
  #openAfter = [];

  constructor(globalConfig, { suite = 'alone', fileSeconds = 480, endingSeconds = 30 } = {}) {
    this.isWatching = globalConfig.watch || globalConfig.watchAll;
    this.rootDir = globalConfig.rootDir;
    this.fileSeconds = fileSeconds;
    this.endingSeconds = endingSeconds;
    this.folder = join(this.rootDir, 'out-test');
    this.runningFile = join(this.folder, `${suite}.running.json`);
  }

  onTestFileStart({ path }) {
    const file = relative(this.rootDir, path);
    const timer = setTimeout(
      () => this.#end(`${file} has run for ${this.fileSeconds} s`),
      this.fileSeconds * 1_000,
    ).unref();
    this.#running.set(file, { startedAt: Date.now(), timer });
    this.#noteRunning();
  }

  onTestFileResult({ path }) {
    const file = relative(this.rootDir, path);
    clearTimeout(this.#running.get(file)?.timer);
    this.#running.delete(file);
    this.#openAfter.push({ file, count: openResources().length });
    this.#noteRunning();
  }

  onRunComplete() {
    rmSync(this.runningFile, { force: true });
    if (this.isWatching) return;
    setTimeout(
      () => this.#end(`all tests are over, and the process does not end${this.#whatIsOpen()}`),
      this.endingSeconds * 1_000,
    ).unref();
  }

  #noteRunning() {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(
      this.runningFile,
      JSON.stringify(Object.fromEntries([...this.#running].map(([file, { startedAt }]) => [file, startedAt]))) + '\n',
    );
  }

  /** With the file after which nothing of it was closed any more. */
  #whatIsOpen() {
    const open = openResources();
    if (open.length === 0) return '';
    const closing = this.#openAfter.findLastIndex(({ count }) => count < open.length);
    const { file } = this.#openAfter[closing + 1] ?? this.#openAfter.at(-1);
    const counts = [...new Set(open)].map((name) => `${open.filter((one) => one === name).length} ${name}`);
    return `: ${file} has left open ${counts.join(', ')} (jest --detectOpenHandles says where)`;
  }

  #end(reason) {
    console.error(`\nEnded: ${reason}`);
    // Not documented, and the only way to get hold of them: processes that a test has started would outlive it.
    for (const handle of process._getActiveHandles?.() ?? [])
      if (handle.constructor.name === 'ChildProcess') handle.kill('SIGKILL');
    process.exit(1);
  }
}
