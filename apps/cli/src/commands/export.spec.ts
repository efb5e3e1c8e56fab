import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ats } from '../../test/run-command.js';

it('a connection that breaks during an export ends it with exit code 3', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': 500 });
    response.write('{"id":1}\n', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await ats(['export', 'candidates'], { url, token: 'x' });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`The answer of ${url} is incomplete.`) });
  server.close();
});

describe('the progress of ats export', () => {
  /** Exports items until the terminal shows `last`. Without `last`, there are three items. */
  async function exported(options: readonly string[], last?: string, isTerminal = true) {
    const methods: string[] = [];
    let isEnough = last === undefined;
    const server = createServer(({ method = '' }, response) => {
      methods.push(method);
      if (method === 'HEAD') return void response.writeHead(200, { 'x-total-count': 4 }).end();
      const send = (): void => {
        if (isEnough) response.end('{}\n{}\n{}\n');
        else response.write('{}\n', () => setTimeout(send, 10));
      };
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      send();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const terminal = isTerminal ? (text: string) => void (isEnough ||= text.includes(last ?? '')) : undefined;
    const { stderr } = await ats(['export', 'candidates', ...options], { url, token: 'x', terminal });
    server.close();
    server.closeAllConnections();
    return { stderr, methods };
  }

  it('shows the share and the total on a terminal', async () => {
    const { stderr, methods } = await exported([], ' of 4 items');
    expect(stderr).toMatch(/\[#{30}\] 100 % {2}\d+ of 4 items, 0\.0 MB\n$/);
    expect(methods).toEqual(['GET', 'HEAD']);
  });

  it.each([
    [[], false],
    [['--quiet'], true],
    [['--json'], true],
  ])('is not shown with the options %j, output to a terminal: %p', async (options, isTerminal) => {
    expect(await exported(options, undefined, isTerminal)).toEqual({ stderr: '', methods: ['GET'] });
  });
});
