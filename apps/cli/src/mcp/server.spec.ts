import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { createClient } from '@ats/client';
import { expect, test } from '@jest/globals';
import { serveAssistant } from './server.js';

const processes = [{ id: 1 }, { id: 2 }, { id: 3 }];
const refusal = { message: 'no', errors: [{ parameter: 'per_page', code: 'invalid', info: 'unknown parameter' }] };

/** Calls a tool at a service whose lists have no pages. @returns the answer, and the paths that the service got */
async function call(name: string, given: Readonly<Record<string, unknown>>) {
  const paths: string[] = [];
  const service = createServer(({ url = '' }, response) => {
    paths.push(url);
    const isPage = url.includes('per_page');
    response.writeHead(isPage ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isPage ? refusal : processes));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const client = createClient({ baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, token: 't' });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveAssistant(client, '1', { stdin, stdout });
  const clientInfo = { name: 'test', version: '1' };
  const requests = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name, arguments: given } },
  ];
  for (const request of requests) stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  for await (const line of createInterface({ input: stdout })) {
    const { id, result } = JSON.parse(line) as {
      id: number;
      result: { isError?: boolean; content: readonly { text: string }[] };
    };
    if (id !== 2) continue;
    stdin.end();
    await served;
    service.close();
    service.closeAllConnections();
    return { isError: result.isError === true, text: result.content[0]?.text, paths };
  }
  throw new Error('no answer');
}

test('list_items returns a part of a list that has no pages', async () => {
  const { text, paths } = await call('list_items', { collection: 'processes', page: 2, per_page: 2 });
  expect(JSON.parse(text ?? '')).toEqual([{ id: 3 }]);
  expect(paths).toEqual(['/api/v1/processes?per_page=2&page=2', '/api/v1/processes']);
});

test.each([
  ['list_items', { collection: 'candidates', serach: ['/lastname=Example'] }, 'serach'],
  ['who_am_i', { id: 1 }, 'id'],
])('the tool %s refuses the unknown argument in %j', async (name, given, argument) => {
  const { isError, text, paths } = await call(name, given);
  expect({ isError, paths }).toEqual({ isError: true, paths: [] });
  expect(text).toContain(argument);
});
