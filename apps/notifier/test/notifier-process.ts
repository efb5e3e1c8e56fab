import { afterEach } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '@ats/postgres/testing';
import { eventually } from './eventually.js';

const MAIN = join(__dirname, '../dist/main.js');

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  /** The name of the loop whose round has failed. */
  readonly loop?: string;
}

/** Runs the built notifier as a separate process, which tests can kill. */
export class NotifierProcess {
  /** Resolves when the process has exited and `output` is complete. */
  readonly exited: Promise<Exit>;
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
    this.exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  }

  /**
   * Starts a process.
   * @param environment  replaces the environment of the tests, except `PATH`
   */
  static async start(environment: Readonly<Record<string, string>>): Promise<NotifierProcess> {
    const port = await freePort();
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'], NOTIFIER_PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new NotifierProcess(child, port);
  }

  /** Returns status and body of `/health/<name>`. Rejects while the process does not listen. */
  async health(name: 'live' | 'ready'): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await fetch(`http://127.0.0.1:${this.port}/health/${name}`);
    return { status: response.status, body: await response.json() };
  }

  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text();
  }

  /** The log lines so far. */
  get lines(): readonly LogLine[] {
    return this.output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine);
  }

  /** Sends a signal that does not end the process, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  kill(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal);
    return this.exited;
  }
}

/** The notifier processes that a spec file starts. */
export class NotifierProcesses {
  private readonly running: NotifierProcess[] = [];

  /** @param environment  returns the variables that every process gets */
  constructor(private readonly environment: () => Readonly<Record<string, string>>) {}

  /** Starts a process without waiting until it is ready. */
  async start(overrides: Readonly<Record<string, string>> = {}): Promise<NotifierProcess> {
    const started = await NotifierProcess.start({ ...this.environment(), ...overrides });
    this.running.push(started);
    return started;
  }

  /** Starts a process. Resolves when it is ready. */
  async startReady(overrides: Readonly<Record<string, string>> = {}, timeoutMs = 100_000): Promise<NotifierProcess> {
    const started = await this.start(overrides);
    try {
      await eventually(async () => {
        if ((await started.health('ready')).status !== 200) throw new Error('the notifier is not ready yet');
      }, timeoutMs);
    } catch (error) {
      throw new Error(`the notifier did not become ready:\n${started.output}`, { cause: error });
    }
    return started;
  }

  async killAll(): Promise<void> {
    await Promise.all(this.running.splice(0).map((one) => one.kill('SIGKILL')));
  }
}

/** Gives a spec file processes that are killed after each test. */
export function useProcesses(environment: () => Readonly<Record<string, string>>): NotifierProcesses {
  const processes = new NotifierProcesses(environment);
  afterEach(() => processes.killAll());
  return processes;
}
