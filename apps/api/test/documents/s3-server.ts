import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Environment } from '../../src/config/env.js';

const WORKSPACE = join(__dirname, '../../../..');
const BUCKET = 'documents';
/** The program that runs the S3 server in a process of its own, as a real S3 does. The package is an ES module. */
const PROGRAM = `
import { startFauxqs } from 'fauxqs';
const init = { buckets: ['${BUCKET}'] };
const { port } = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false, init });
console.log(String(port));
`;

/** A server that speaks the protocol of S3. It is the package `fauxqs`. */
export class S3Server {
  private constructor(
    private readonly process: ChildProcess,
    readonly settings: Pick<
      Environment,
      | 'DOCUMENTS_S3_ENDPOINT'
      | 'DOCUMENTS_S3_BUCKET'
      | 'DOCUMENTS_S3_REGION'
      | 'DOCUMENTS_S3_KEY_ID'
      | 'DOCUMENTS_S3_SECRET'
      | 'DOCUMENTS_S3_PATH_STYLE'
    >,
  ) {}

  static async start(): Promise<S3Server> {
    const server = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
      cwd: WORKSPACE,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = (await Promise.race([
      once(server.stdout, 'data'),
      once(server, 'exit').then(([code]) => [`the S3 server ended with exit code ${String(code)}`]),
    ])) as readonly unknown[];
    const port = Number(String(text));
    if (!Number.isInteger(port)) throw new Error(String(text));
    return new S3Server(server, {
      DOCUMENTS_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      DOCUMENTS_S3_BUCKET: BUCKET,
      DOCUMENTS_S3_REGION: 'us-east-1',
      DOCUMENTS_S3_KEY_ID: 'test',
      DOCUMENTS_S3_SECRET: 'test',
      DOCUMENTS_S3_PATH_STYLE: true,
    });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exited;
  }
}
