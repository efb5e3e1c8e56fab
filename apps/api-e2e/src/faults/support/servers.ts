import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ROOT } from '../../support/app.js';
import { freePort } from '../../support/free-port.js';
import { waitUntil } from '../../support/wait-until.js';
import { options } from './options.js';

/** What is left of a server that was killed may hold its data for a moment. */
const RESTART_MS = 30_000;

type Answer = { readonly id: number; readonly pid?: number; readonly error?: string };

/** The process that has the servers as its children, see `tools/services/serve.mjs`; it ends them when it loses us. */
class Keeper {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #commands = 0;

  constructor() {
    this.#child = spawn(process.execPath, [join(ROOT, 'tools/services/serve.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
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

/** A PostgreSQL or Redis of one test. It keeps its address and its data over restarts. */
export class Server {
  #pid: number | undefined;

  constructor(
    private readonly keeper: Keeper,
    private readonly kind: 'postgres' | 'redis',
    private readonly startOptions: { readonly dir: string; readonly port: number; readonly settings: Readonly<Record<string, string>> } & Readonly<Record<string, unknown>>,
    readonly url: string,
  ) {}

  /** @param settings beside those that it was made with, for this start alone */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = { ...this.startOptions, settings: { ...this.startOptions.settings, ...settings } };
    let lastError: unknown;
    await waitUntil(`${this.kind} runs`, RESTART_MS, async () => {
      const answer = await this.keeper.tell({ start: this.kind, options: all }).catch((error: unknown) => void (lastError = error));
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

  /** From now on it answers nothing, and whatever was connected hangs. */
  pause(): void {
    if (this.#pid !== undefined) process.kill(this.#pid, 'SIGSTOP');
  }

  resume(): void {
    if (this.#pid !== undefined) process.kill(this.#pid, 'SIGCONT');
  }

  get isRunning(): boolean {
    return this.#pid !== undefined;
  }
}

export interface ServerSettings {
  readonly postgres?: Readonly<Record<string, string>>;
  readonly redis?: Readonly<Record<string, string>>;
}

/** The servers of one test: nobody else uses them. */
export class Servers {
  private constructor(
    private readonly keeper: Keeper,
    readonly postgres: Server,
    readonly redis: Server,
  ) {}

  static async start({ postgres = {}, redis = {} }: ServerSettings = {}): Promise<Servers> {
    const keeper = new Keeper();
    const name = randomBytes(6).toString('hex');
    const { password, redisCommand: command, logs } = options;
    const [postgresPort, redisPort] = [await freePort(), await freePort()];
    const postgresDir = join(options.dir, `postgres-${name}`);
    await promisify(execFile)('cp', ['-a', options.cluster, postgresDir]);
    const servers = new Servers(
      keeper,
      new Server(
        keeper,
        'postgres',
        { dir: postgresDir, port: postgresPort, password, logFile: join(logs, 'postgres.log'), settings: { ...options.clusterSettings, ...postgres } },
        `postgresql://ats:${password}@127.0.0.1:${postgresPort}/ats`,
      ),
      new Server(
        keeper,
        'redis',
        { command, dir: join(options.dir, `redis-${name}`), port: redisPort, password, logFile: join(logs, 'redis.log'), settings: { appendonly: 'no', ...redis } },
        `redis://default:${password}@127.0.0.1:${redisPort}`,
      ),
    );
    await Promise.all([servers.postgres.start(), servers.redis.start()]);
    return servers;
  }

  async stop(): Promise<void> {
    await this.keeper.close();
  }
}
