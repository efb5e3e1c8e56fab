import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { keepOutput, noteSettings } from './run-log.js';
import { waitUntil } from './wait-until.js';

export const ROOT = join(__dirname, '../../../..');
const START_MS = 240_000;
const CHECK_MS = 5_000;
/** Number of characters of an app's output that are kept. Older output is dropped. */
const KEPT_OUTPUT = 256 * 1024;

/** Environment variables of an app. */
export type Settings = Readonly<Record<string, string>>;

export interface AppOptions {
  /** Path of the script, relative to the root of the workspace. */
  readonly script: string;
  /** The environment variables of the process. It inherits no others. */
  readonly environment: Settings;
  /** The base URL, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Arguments for Node itself. */
  readonly nodeArguments?: readonly string[];
}

/** An app that runs from its build in a process of its own. */
export class App {
  #child: ChildProcess | undefined;
  #environment: Settings;
  #output = '';
  #outputBefore = '';

  constructor(private readonly options: AppOptions) {
    this.#environment = options.environment;
  }

  /** Replaces environment variables. The next start uses them. A variable with an empty text counts as absent. */
  configure(settings: Settings): void {
    this.#environment = { ...this.#environment, ...settings };
  }

  /**
   * Resolves when the health route `ready` or `live` answers 200. `live` is for tests in which a server is unavailable.
   */
  async start(until: 'ready' | 'live' = 'ready'): Promise<void> {
    const { script, url, nodeArguments = [] } = this.options;
    const environment = this.#environment;
    this.#outputBefore = this.allOutput;
    this.#output = '';
    const child = spawn(process.execPath, [...nodeArguments, join(ROOT, script)], {
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (text: Buffer): void => void (this.#output = (this.#output + text.toString()).slice(-KEPT_OUTPUT));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    noteSettings(environment);
    keepOutput(child, script);
    this.#child = child;
    await waitUntil(`${script} is ${until}`, START_MS, async () => {
      if (this.#child !== child) return true; // Stops waiting, because the test has ended the app meanwhile.
      if (child.exitCode !== null)
        throw new Error(`${script} ended with exit code ${child.exitCode}. Its output:\n${this.#output}`);
      return (
        (await fetch(`${url}/health/${until}`, { signal: AbortSignal.timeout(CHECK_MS) }).catch(() => null))?.ok ===
        true
      );
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.#output.slice(-3_000)}`, { cause: error });
    });
  }

  /** Sends the signal and waits for the exit. @returns the exit code; null when the signal itself ended the process */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close'); // Waits until all output is read, which is later than the exit.
      child.kill(signal);
      await closed;
    }
    return child.exitCode;
  }

  /** Sends a signal that does not end the process, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** The process id. Undefined before the start and after the end. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get url(): string {
    return this.options.url;
  }

  /** The end of the output that the app has written since its last start. */
  get output(): string {
    return this.#output;
  }

  /** The end of the output that the app has written since its first start. */
  get allOutput(): string {
    return `${this.#outputBefore}\n${this.#output}`.slice(-2 * KEPT_OUTPUT);
  }
}

/** Runs a command of the service until it exits. @throws {Error} with its output when the exit code is not 0 */
export async function run(script: string, environment: Settings): Promise<string> {
  const { output, exitCode } = await runToEnd(script, environment);
  if (exitCode !== 0) throw new Error(`${script} ended with exit code ${exitCode}. Its output:\n${output}`);
  return output;
}

export async function runToEnd(
  script: string,
  environment: Settings,
): Promise<{ readonly output: string; readonly exitCode: number | null }> {
  const child = spawn(process.execPath, [join(ROOT, script)], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  noteSettings(environment);
  keepOutput(child, script);
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { output, exitCode };
}
