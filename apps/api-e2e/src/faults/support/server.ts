import { execFileSync } from 'node:child_process';
import { type KeptServers } from '@ats/domain/testing';
import { waitUntil } from '../../support/wait-until.js';

/**
 * Time in ms for which a failed start is repeated. After a kill, processes of the server may lock its data for a
 * moment.
 */
const RESTART_MS = 120_000;

/** A PostgreSQL, Redis or Redis Sentinel server of one test. It keeps its port and its data when it restarts. */
export class Server {
  #pid: number | undefined;

  constructor(
    private readonly servers: KeptServers,
    private readonly kind: 'postgres' | 'redis' | 'cluster-node' | 'sentinel',
    private startOptions: {
      readonly dir: string;
      readonly port: number;
      readonly settings: Readonly<Record<string, string>>;
    } & Readonly<Record<string, unknown>>,
    readonly url: string,
  ) {}

  get port(): number {
    return this.startOptions.port;
  }

  /** The folder in which the server stores its data. */
  get dir(): string {
    return this.startOptions.dir;
  }

  /** Returns a server with the same settings, but with another data directory and another port. */
  at(dir: string, port: number): Server {
    const url = Object.assign(new URL(this.url), { port: String(port) }).href;
    return new Server(this.servers, this.kind, { ...this.startOptions, dir, port }, url);
  }

  /** Sets the data directory for the next start of the server. The port does not change. */
  moveTo(dir: string): void {
    this.startOptions = { ...this.startOptions, dir };
  }

  /** Starts the server. @param settings  override the settings of the server for this start only */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = { ...this.startOptions, settings: { ...this.startOptions.settings, ...settings } };
    let lastError: unknown;
    await waitUntil(`${this.kind} runs`, RESTART_MS, async () => {
      const answer = await this.servers
        .tell({ start: this.kind, options: all })
        .catch((error: unknown) => void (lastError = error));
      this.#pid = answer?.pid;
      return this.#pid !== undefined;
    }).catch((error: unknown) => {
      throw new Error(`${this.kind} did not start`, { cause: lastError ?? error });
    });
  }

  /**
   * Sends the signal and waits until the server has exited. PostgreSQL makes a fast shutdown on SIGINT, and an
   * immediate shutdown on SIGQUIT.
   */
  async end(signal: NodeJS.Signals): Promise<void> {
    const pid = this.#pid;
    this.#pid = undefined;
    if (pid !== undefined) await this.servers.tell({ end: pid, signal });
  }

  /**
   * Freezes the process, so that connected clients hang. For PostgreSQL this is only the process that accepts
   * connections.
   */
  pause(): void {
    if (this.#pid !== undefined) process.kill(this.#pid, 'SIGSTOP');
  }

  resume(): void {
    if (this.#pid !== undefined) process.kill(this.#pid, 'SIGCONT');
  }

  /** Freezes the server, and also the processes of all PostgreSQL connections. @returns a function that resumes them */
  pauseAll(): () => void {
    this.pause();
    const children = execFileSync('pgrep', ['-P', String(this.#pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
    const signalAll = (signal: NodeJS.Signals): void => {
      for (const pid of children) {
        try {
          process.kill(pid, signal);
        } catch {
          // Ignores the error, because the process has ended meanwhile.
        }
      }
    };
    signalAll('SIGSTOP');
    return () => {
      signalAll('SIGCONT');
      this.resume();
    };
  }

  get isRunning(): boolean {
    return this.#pid !== undefined;
  }
}
