import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from '@jest/globals';
import { Service, SINGLE } from './service.js';
import { waitUntil } from './wait-until.js';

const ROOT = join(__dirname, '../../../..');

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
type Variables = Readonly<Record<string, string>>;

/** The packed command line, installed into an empty folder. */
export class InstalledCli {
  readonly folder = mkdtempSync(join(tmpdir(), 'cli-'));
  readonly bin = join(this.folder, 'node_modules/.bin');

  constructor(private readonly service: { readonly baseUrl: string; readonly token: string }) {
    const npm = (...args: readonly string[]) => execFileSync('npm', args, { cwd: this.folder, encoding: 'utf8' });
    npm('pack', join(ROOT, 'apps/cli'), '--pack-destination', this.folder, '--loglevel=error');
    const [tarball = ''] = readdirSync(this.folder).filter((file) => file.endsWith('.tgz'));
    npm('install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', join(this.folder, tarball));
  }

  /** Starts `ats` with a login at the service. */
  start(args: readonly string[], variables: Variables = {}): ChildProcessWithoutNullStreams {
    const login = { ATS_URL: this.service.baseUrl, ATS_TOKEN: this.service.token };
    return spawn(join(this.bin, 'ats'), args, {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: join(this.folder, 'config'), ...login, ...variables },
    });
  }

  /** Runs `ats` and waits for its end. */
  async run(args: readonly string[], variables?: Variables, input = ''): Promise<Outcome> {
    const child = this.start(args, variables);
    child.stdin.end(input);
    return outcomeOf(child);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The service and the command line that the tests of a file use. */
interface UsedCli {
  readonly service: Service;
  readonly cli: InstalledCli;
  /** Runs `ats` and waits for its end. */
  readonly ats: InstalledCli['run'];
  /** Makes a token that has only these scopes. */
  readonly tokenWith: (...scopes: readonly string[]) => Promise<string>;
}

/**
 * Starts a service and installs the command line before the tests of a file, and removes both after them.
 * @param readVariables  returns the variables of the service
 */
export function useInstalledCli(readVariables: () => Variables | Promise<Variables> = () => ({})): UsedCli {
  let service: Service;
  let cli: InstalledCli;
  beforeAll(async () => {
    service = await Service.start(await readVariables(), SINGLE);
    cli = new InstalledCli(service.client);
  });
  afterAll(async () => {
    cli.remove();
    await service.stop();
  });
  return {
    get service() {
      return service;
    },
    get cli() {
      return cli;
    },
    ats: (...call) => cli.run(...call),
    tokenWith: async (...scopes) => {
      const { token } = await service.client.post('/credentials', { name: 'Narrow', scopes });
      return String(token);
    },
  };
}

/** Waits for the end of a process. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await closed) as [number | null];
  return { code, stdout, stderr };
}

/** A running `ats`. Tests can wait for its output. */
export class RunningCli {
  stdout = '';
  stderr = '';

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.on('data', (chunk: Buffer) => (this.stdout += String(chunk)));
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += String(chunk)));
  }

  async says(text: string): Promise<void> {
    await waitUntil(`${text} in ${this.stderr}`, 60_000, () => this.stderr.includes(text));
  }

  async prints(text: string): Promise<void> {
    await waitUntil(`${text} in ${this.stdout}`, 60_000, () => this.stdout.includes(text));
  }

  /** Presses Ctrl-C. @returns the exit code */
  async interrupt(): Promise<number | null> {
    const closed = this.child.exitCode === null ? once(this.child, 'close') : undefined;
    this.child.kill('SIGINT');
    await closed;
    return this.child.exitCode;
  }
}
