import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from './program.js';

const MODEL = join(__dirname, '../../../libs/datapath/test/language-model.json');

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'ats-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command in this process. */
async function ats(args: readonly string[], login: { url?: string; token?: string } = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
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

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('ats check', () => {
  const check = (text: string) => ats(['check', fileOf('file.expr', text), '--model', MODEL]);

  it('puts the caret below the error, even if the line has control characters', async () => {
    const { code, stdout } = await check('\t"\u001b[31m\u202e" == application.nothing');
    const [, line = '', caret = ''] = stdout.split('\n');
    expect({ code, line }).toEqual({ code: 1, line: '   "\ufffd[31m\ufffd" == application.nothing' });
    expect(caret.indexOf('^')).toBe(line.indexOf('nothing'));
  });

  it('accepts a byte order mark at the beginning of a file', async () => {
    expect(await check('\ufeffapplication.score == 1')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('reports names after the end of a datapath with a form item', async () => {
    expect((await check('application.formdata.21.x == 1')).stdout).toContain(
      'expected the end of the datapath after the form item and its instances',
    );
  });

  const entry = { path: 'application.id', type: 'integer', is_many: false, target: null, label: null };
  const whole = { ...entry, description: null, values: null, used_in: ['expressions'] };
  it.each([
    ['{}', '"roots"'],
    ['null', '"roots"'],
    ['{"roots":["application"]}', '"entries"'],
    ['{"roots":["application"],"entries":[null]}', '"path" of entry 0'],
    [JSON.stringify({ roots: ['application'], entries: [{ ...whole, target: undefined }] }), '"target" of entry 0'],
    [
      JSON.stringify({
        roots: ['application'],
        entries: [{ ...whole, path: 'application.formdata', target: 'application' }],
      }),
      'is not a file that `ats model` wrote',
    ],
  ])('refuses the model %s', async (model, text) => {
    const files = [fileOf('file.expr', 'application.id == 1'), '--model', fileOf('model.json', model)];
    const { code, stderr } = await ats(['check', ...files]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(text) });
  });
});

describe('printed texts of the service', () => {
  async function answered(status: number, body: object, args: readonly string[]) {
    const server = createServer((_, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = await ats(args, { url, token: 'x' });
    server.closeAllConnections();
    server.close();
    return result;
  }

  it('cannot control the terminal when they are in an error', async () => {
    const { stderr } = await answered(400, { message: 'no\u001b[2J\u202e' }, ['get', 'candidates', '1']);
    expect(stderr).toMatch(/^no\ufffd\[2J\ufffd\n/);
  });

  it('cannot control the terminal or start a line when they are in a change', async () => {
    const items = [{ dt: '2026-11-28T10:00:00Z', change: 'created', url: 'x\u001b\ny' }];
    const { stdout } = await answered(200, { items, next: 't', has_more: false }, ['changes']);
    expect(stdout).toBe('2026-11-28T10:00:00Z  created     x\ufffd y\n');
  });
});
