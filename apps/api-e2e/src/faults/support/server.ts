import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../support/app.js';
import { waitUntil } from '../../support/wait-until.js';

/** What is left of a server that was killed may hold its data for a moment. */
const RESTART_MS = 30_000;

type Answer = { readonly id: number; readonly pid?: number; readonly error?: string };

/** The process that has the servers as its children, see `tools/services/serve.mjs`; it ends them when it loses us. */
export class Keeper {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #commands = 0;

  constructor() {
    this.#child = spawn(process.execPath, [join(ROOT, 'tools/services/serve.mjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!this.#child.stdout) throw new Error('its output is a pipe');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  async tell(command: object): Promise<Answer> {
    const id = (this.#commands += 1);
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#child.stdin?.write(`${JSON.stringify({ id, ...command })}\n`);
    const result = await answer;
    if (result.error !== undefined) throw new Error(result.error);
    return result;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin?.end();
    await closed;
  }
}

/** A PostgreSQL, Redis or sentinel of one test. It keeps its address and its data over restarts. */
export class Server {
  #pid: number | undefined;

  constructor(
    private readonly keeper: Keeper,
    private readonly kind: 'postgres' | 'redis' | 'cluster-node' | 'sentinel',
    private readonly startOptions: {
      readonly dir: string;
      readonly port: number;
      readonly settings: Readonly<Record<string, string>>;
    } & Readonly<Record<string, unknown>>,
    readonly url: string,
  ) {}

  get port(): number {
    return this.startOptions.port;
  }

  /** Where its data are. */
  get dir(): string {
    return this.startOptions.dir;
  }

  /** @param settings beside those that it was made with, for this start alone */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = { ...this.startOptions, settings: { ...this.startOptions.settings, ...settings } };
    let lastError: unknown;
    await waitUntil(`${this.kind} runs`, RESTART_MS, async () => {
      const answer = await this.keeper
        .tell({ start: this.kind, options: all })
        .catch((error: unknown) => void (lastError = error));
      this.#pid = answer?.pid;
      return this.#pid !== undefined;
    }).catch((error: unknown) => {
      throw new Error(`${this.kind} does not start`, { cause: lastError ?? error });
    });
  }

  /** Sends the signal and waits until the server has gone. PostgreSQL: SIGINT is a fast, SIGQUIT an immediate shutdown. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const pid = this.#pid;
    this.#pid = undefined;
    if (pid !== undefined) await this.keeper.tell({ end: pid, signal });
  }

  /** From now on it answers nothing, and whatever was connected hangs. Of PostgreSQL that is the process that takes connections. */
  pause(): void {
    if (this.#pid !== undefined) process.kill(this.#pid, 'SIGSTOP');
  }

  resume(): void {
    if (this.#pid !== undefined) process.kill(this.#pid, 'SIGCONT');
  }

  /** PostgreSQL has a process for each connection: all of them stand still. @returns what to call to let them go on */
  pauseAll(): () => void {
    this.pause();
    const children = execFileSync('pgrep', ['-P', String(this.#pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
    const tellAll = (signal: NodeJS.Signals): void => {
      for (const pid of children) {
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended meanwhile.
        }
      }
    };
    tellAll('SIGSTOP');
    return () => {
      tellAll('SIGCONT');
      this.resume();
    };
  }

  get isRunning(): boolean {
    return this.#pid !== undefined;
  }
}
