import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, type Writable } from 'node:stream';
import { waitUntil } from './wait-until.js';

const ROOT = join(__dirname, '../../../..');
const WAIT_MS = 60_000;
const OPTIONS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--remote-debugging-pipe',
];

interface Reply {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}
interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

/** One page in a real Chromium. The test controls it through a pipe, with the Chrome DevTools Protocol. */
export class Browser {
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #session: string | undefined;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly input: Writable,
    output: Readable,
  ) {
    let text = '';
    output.setEncoding('utf8');
    output.on('data', (part: string) => {
      const messages = (text + part).split('\0');
      text = messages.pop() ?? '';
      for (const message of messages) this.#receive(JSON.parse(message) as Reply);
    });
  }

  /** Starts Chromium. Installs it first when it is missing. */
  static async start(): Promise<Browser> {
    const program = execFileSync(process.execPath, ['tools/chromium.mjs'], { cwd: ROOT, encoding: 'utf8' }).trim();
    const folder = mkdtempSync(join(tmpdir(), 'ats-browser-'));
    const child = spawn(program, [...OPTIONS, `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const [, , , input, output] = child.stdio;
    const browser = new Browser(child, folder, input as Writable, output as Readable);
    const { targetId } = await browser.#send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.#send('Target.attachToTarget', { targetId, flatten: true });
    browser.#session = String(sessionId);
    return browser;
  }

  async open(url: string): Promise<void> {
    await this.#send('Page.navigate', { url });
  }

  /** Evaluates an expression in the page, and waits for the promise that it returns. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const parameters = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', parameters);
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { readonly value: Value }).value;
  }

  /**
   * Waits until an expression is true. An error of the expression counts as false, because elements are missing while a
   * page loads.
   */
  waitFor(expression: string): Promise<void> {
    return waitUntil(expression, WAIT_MS, () => this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false));
  }

  /** Types a value into a field, or chooses the value in a list. */
  async fill(selector: string, value: string): Promise<void> {
    const [field, text] = [JSON.stringify(selector), JSON.stringify(value)];
    await this.evaluate(`(() => { const field = document.querySelector(${field}); field.value = ${text};
      field.dispatchEvent(new Event('input', { bubbles: true })); })()`);
  }

  async click(selector: string): Promise<void> {
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  }

  /** Chooses a file in a file field. */
  async choose(selector: string, file: string): Promise<void> {
    const expression = `document.querySelector(${JSON.stringify(selector)})`;
    const { result } = await this.#send('Runtime.evaluate', { expression });
    const { objectId } = result as { readonly objectId: string };
    await this.#send('DOM.setFileInputFiles', { files: [file], objectId });
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #send(method: string, parameters: object): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const session = this.#session === undefined ? {} : { sessionId: this.#session };
      this.input.write(`${JSON.stringify({ id, method, params: parameters, ...session })}\0`);
    });
  }

  #receive({ id = 0, result = {}, error }: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }
}
