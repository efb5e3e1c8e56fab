import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Node's names for the streams to the parent process. These streams are always open, so no test has opened them. */
const OWN_RESOURCES = new Set(['TTYWrap', 'PipeWrap']);

/**
 * Lists the resources that the tests have left open.
 * @returns Node's names of the resources that keep the process alive: sockets, child processes, timers
 */
const openResources = () => process.getActiveResourcesInfo().filter((name) => !OWN_RESOURCES.has(name));

/**
 * Jest reporter that ends a hanging run with a failure. Jest itself limits single tests and hooks. This reporter limits
 * the time of a whole spec file. It also limits the time that Jest needs to exit, because tests or failed hooks may
 * leave resources open. `<project>/out-test/<suite>.running.json` has the start times of the spec files that run, for
 * `tools/test`.
 *
 * `fileSeconds`: limit of a spec file. `endingSeconds`: limit from the last test to the exit of the process.
 */
export default class JestEnding {
  #running = new Map();
  /** The number of open resources after each spec file, in the order in which the files ended. */
  #openAfter = [];

  constructor(globalConfig, { suite = 'alone', fileSeconds = 1_800, endingSeconds = 30 } = {}) {
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
    this.#writeRunning();
  }

  onTestFileResult({ path }) {
    const file = relative(this.rootDir, path);
    clearTimeout(this.#running.get(file)?.timer);
    this.#running.delete(file);
    this.#openAfter.push({ file, count: openResources().length });
    this.#writeRunning();
  }

  onRunComplete() {
    rmSync(this.runningFile, { force: true });
    if (this.isWatching) return;
    setTimeout(
      () => this.#end(`all tests have finished, but the process does not exit${this.#describeOpen()}`),
      this.endingSeconds * 1_000,
    ).unref();
  }

  #writeRunning() {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(
      this.runningFile,
      JSON.stringify(Object.fromEntries([...this.#running].map(([file, { startedAt }]) => [file, startedAt]))) + '\n',
    );
  }

  /**
   * Describes the open resources. Blames the first spec file after which the number of open resources never fell below
   * the present number.
   */
  #describeOpen() {
    const open = openResources();
    if (open.length === 0) return '';
    const lastClosed = this.#openAfter.findLastIndex(({ count }) => count < open.length);
    const { file } = this.#openAfter[lastClosed + 1] ?? this.#openAfter.at(-1);
    const counts = [...new Set(open)].map((name) => `${open.filter((one) => one === name).length} ${name}`);
    return `: ${file} left open ${counts.join(', ')} (jest --detectOpenHandles shows where)`;
  }

  #end(reason) {
    console.error(`\nEnded: ${reason}`);
    // Kills child processes, which would outlive the run. Only this undocumented function of Node finds them.
    for (const handle of process._getActiveHandles?.() ?? [])
      if (handle.constructor.name === 'ChildProcess') handle.kill('SIGKILL');
    process.exit(1);
  }
}
