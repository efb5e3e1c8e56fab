// @ts-check
import { PlainError } from '../workspace.mjs';
import { commandLine, kill } from '../services/processes.mjs';

/** @typedef {import('../services/processes.mjs').Running} Running */

/** Thrown to abort the start-up after a stop was requested. */
class Stopped extends Error {}

/** Holds the started processes in order, and stops them in reverse order. */
export class Stack {
  /** @type {{ running: Running, together: string | undefined }[]} */
  #children = [];
  /** @type {Running | undefined} */
  #step;
  /** @type {Running | undefined} */
  #fallen;
  #isStopping = false;
  #stoppingSince = 0;
  /** @type {Running[]} */
  #beingStopped = [];
  /** @type {() => void} */
  #resolveEnd = () => {};
  /** @type {Promise<void>} */
  #end = new Promise((resolve) => (this.#resolveEnd = resolve));
  #onChange;

  /** @param {(children: { pid: number, command: string }[]) => void} onChange called after each start */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * Runs `startUp`, waits for Ctrl-C, SIGTERM or the end of a child, and stops all children in reverse order.
   * @param {() => Promise<void>} startUp
   * @returns {Promise<number>} exit code
   */
  async run(startUp) {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => this.#onSignal());
    process.stdout.on('error', () => this.#stop()); // Stops when the program that reads this output has ended.
    let hasFailed = false;
    try {
      await startUp();
      await this.#end;
    } catch (error) {
      if (!(error instanceof Stopped)) {
        hasFailed = true;
        console.error(error instanceof PlainError ? error.message : error);
      }
    }
    this.#isStopping = true;
    if (this.#fallen) {
      const { code, signal } = await this.#fallen.exited;
      console.error(
        `${this.#fallen.name} ended unexpectedly (${signal ?? `exit code ${code}`}), so everything is stopped.`,
      );
    }
    await this.#stopAll();
    return hasFailed || this.#fallen ? 1 : 0;
  }

  /**
   * @param {Running} running
   * @param {{ together?: string }} [options] children with the same text in `together` are stopped at the same time
   */
  add(running, { together } = {}) {
    this.#children.push({ running, together });
    this.#onChange(this.#children.map(({ running: { pid } }) => ({ pid, command: commandLine(pid) })));
    void running.exited.then(() => {
      if (this.#isStopping) return;
      this.#fallen = running;
      this.#stop();
    });
    this.check();
  }

  /**
   * Registers a command of the start-up, which is stopped when a stop is requested.
   * @param {Running} running
   */
  addStep(running) {
    this.#step = running;
    if (this.#isStopping) void running.stop();
  }

  /** @throws {Stopped} after a stop was requested */
  check() {
    if (this.#isStopping) throw new Stopped();
  }

  /**
   * The first signal stops all children in order. A signal more than a second after the previous one kills the children
   * that are being stopped. An earlier signal has no effect, because the terminal and npm may both send the first one.
   */
  #onSignal() {
    if (this.#stoppingSince > 0 && Date.now() - this.#stoppingSince > 1000) {
      console.log('some processes have not stopped in time, so they are killed');
      for (const { pid } of this.#beingStopped) kill(-pid, 'SIGKILL');
    }
    this.#stoppingSince = Date.now();
    this.#stop();
  }

  #stop() {
    if (this.#isStopping) return;
    this.#isStopping = true;
    void this.#step?.stop();
    this.#resolveEnd();
  }

  async #stopAll() {
    if (this.#children.length > 0) console.log('stopping');
    while (this.#children.length > 0) {
      const last = this.#children.at(-1);
      const group = this.#children.filter(
        (child) => child === last || (last?.together && child.together === last.together),
      );
      this.#beingStopped = group.map(({ running }) => running);
      await Promise.all(this.#beingStopped.map((running) => running.stop()));
      this.#children = this.#children.filter((child) => !group.includes(child));
    }
    console.log('stopped');
  }
}
