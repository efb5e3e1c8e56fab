import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll } from '@jest/globals';
import { run } from '../src/program.js';

/** A folder for the tests of one spec file. It is deleted after them. */
export let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'ats-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command in this process. `terminal` gets each text that the command writes to the standard error. */
export async function ats(
  args: readonly string[],
  login: { url?: string; token?: string; terminal?: ((text: string) => void) | undefined } = {},
) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (login.terminal) Object.assign(stderr, { isTTY: true });
  const write = stderr.write.bind(stderr);
  stderr.write = (text: string) => {
    login.terminal?.(text);
    return write(text);
  };
  const streams = { stdin, stdout, stderr } as unknown as {
    stdin: NodeJS.ReadStream;
    stdout: NodeJS.WriteStream;
    stderr: NodeJS.WriteStream;
  };
  const { signal } = new AbortController();
  const environment = { configFolder: folder, url: login.url, token: login.token };
  const code = await run(args, { environment, ...streams, signal });
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

/**
 * Runs a command against a server that gives these answers, one after the other. The server repeats the last answer.
 */
export async function answeredInTurn(answers: readonly (readonly [number, object])[], args: readonly string[]) {
  const paths: string[] = [];
  const server = createServer(({ url }, response) => {
    const [status, body] = answers[Math.min(paths.length, answers.length - 1)] ?? [500, {}];
    paths.push(url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const result = await ats(args, { url, token: 'x' });
  server.closeAllConnections();
  server.close();
  return { ...result, paths };
}

/** Runs a command against a server that gives this answer to each request. */
export const answered = (status: number, body: object, args: readonly string[]) =>
  answeredInTurn([[status, body]], args);
