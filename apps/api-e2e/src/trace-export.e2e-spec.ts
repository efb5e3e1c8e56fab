import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ROOT } from './support/app.js';

it('tracing exports spans as protobuf to the endpoint in its options', async () => {
  const bodies: { readonly type: string | undefined; readonly body: Buffer }[] = [];
  const server = createServer(
    (request, response) =>
      void buffer(request).then(
        (body) => (bodies.push({ type: request.headers['content-type'], body }), response.end()),
      ),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const script = `
    const { startSpan, startTracing, stopTracing } = await import('@ats/telemetry');
    await startTracing({
      endpoint: '${endpoint}', protocol: 'http/protobuf', serviceName: 'a script', version: '1',
      require: () => undefined, onCollector: console.log,
    });
    const parent = '00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01';
    const span = startSpan('a piece of work', { kind: 'INTERNAL', parent });
    span.end();
    await stopTracing();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(ROOT, 'apps/api'),
    env: {},
  });
  server.close();
  expect(bodies.map(({ type }) => type)).toEqual(['application/x-protobuf']);
  for (const part of [Buffer.from('ab'.repeat(16), 'hex'), Buffer.from('a piece of work'), Buffer.from('a script')])
    expect(bodies[0]?.body.includes(part)).toBe(true);
});
