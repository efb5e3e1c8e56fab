import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

const MAIN = join(__dirname, '../dist/main.js');

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  /** Name of the loop whose round failed. */
  readonly loop?: string;
}

/** Runs the built notifier as a process of its own, which tests can kill. */
export class NotifierProcess {
  readonly exited: Promise<Exit>;
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
    this.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  /** @param environment  replaces the environment of the tests, except `PATH` */
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

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
