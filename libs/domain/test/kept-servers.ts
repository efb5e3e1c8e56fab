import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';

type Answer = { readonly id: number; readonly pid?: number; readonly error?: string };

/**
 * Sends commands to `tools/services/serve.mjs`, a process that starts, kills and copies servers for tests. That process
 * stops its servers when the connection between both processes ends.
 */
export class KeptServers {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #commands = 0;

  constructor() {
    this.#child = spawn(process.execPath, [join(__dirname, '../../../tools/services/serve.mjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!this.#child.stdout) throw new Error('the output of serve.mjs is not a pipe');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  /**
   * Sends one command and returns its answer.
   * @throws {Error} with the reason when the command fails
   */
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

/** The data directory shared by all servers of this test run. It is removed at the end of the run. */
export async function dirOfServers(): Promise<string> {
  const client = new pg.Client(process.env['TEST_DATABASE_URL']);
  await client.connect();
  const { rows } = await client.query<{ dir: string }>(`SELECT current_setting('data_directory') AS dir`);
  await client.end();
  return dirname(rows[0]?.dir ?? '');
}
