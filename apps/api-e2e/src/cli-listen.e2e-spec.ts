// @group long: packs the command line, and restarts the service
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { readMessage } from '@ats/client/webhooks';
import { freePort } from '@ats/domain/testing';
import { verify } from '@ats/webhook-signing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Item, type SubscriptionItem, subscribe } from './support/api-client.js';
import { outcomeOf, RunningCli, useInstalledCli } from './support/installed-cli.js';
import { Receiver } from './support/receiver.js';
import { waitUntil } from './support/wait-until.js';

const setup = useInstalledCli();
let sink: Receiver;
let subscription: SubscriptionItem;
let endpoint: string;
beforeEach(async () => {
  sink = await Receiver.start();
  subscription = await subscribe(setup.service.client, { type: 'CANDIDATE_CREATE' }, sink.url);
  const path = `/notification_topics/${subscription.topic.id}/subscriptions/${subscription.id}`;
  endpoint = String((await setup.service.client.get<{ endpoint: Item }>(path)).endpoint.id);
});
afterEach(() => sink.stop());

let serial = 0;
const create = (): Promise<Item> =>
  setup.service.client.post('/candidates', {
    firstname: 'Robin',
    lastname: 'Listener',
    email: `robin.listen.${(serial += 1)}@example.com`,
  });

const listening: RunningCli[] = [];
async function listen(to: string, ...options: readonly string[]): Promise<RunningCli> {
  const running = new RunningCli(setup.cli.start(['listen', '--endpoint', endpoint, '--forward-to', to, ...options]));
  listening.push(running);
  await running.says('listening');
  return running;
}
afterEach(() => Promise.all(listening.splice(0).map((running) => running.interrupt())));

const nextOf = ({ stderr }: RunningCli): string => /^next: (\d+)$/m.exec(stderr)?.[1] ?? '';

describe('ats listen', () => {
  it('forwards the body and the headers of a delivery to the local server', async () => {
    const custom = { 'x-tenant': '7' };
    await setup.service.client.request('PATCH', `/notification_endpoints/${endpoint}`, { custom_headers: custom });
    const local = await Receiver.start();
    const running = await listen(local.url);
    await create();
    const [forwarded] = await local.receive(1);
    const [delivered] = await sink.receive(1);
    await local.stop();
    expect(forwarded?.body).toBe(delivered?.body);
    const stable = [
      'content-type',
      'user-agent',
      'x-service-notify-attempt',
      'x-service-notify-sequence',
      'x-service-notify-type',
      'webhook-id',
      'x-tenant',
    ];
    for (const name of stable) expect([name, forwarded?.headers[name]]).toEqual([name, delivered?.headers[name]]);
    const { body = '', headers = {} } = forwarded ?? {};
    expect(readMessage({ body, headers, keys: [subscription.signing_key] })).toMatchObject({
      type: 'CANDIDATE_CREATE',
    });
    expect(await running.interrupt()).toBe(130);
    expect(running.stdout).toMatch(/^CANDIDATE_CREATE {2}\S+ {2}204\n$/);
  });

  it('forwards the messages of an endpoint with a batch as arrays', async () => {
    await setup.service.client.request('PATCH', `/notification_endpoints/${endpoint}`, {
      batch: { max: 5, wait_ms: 0 },
    });
    const local = await Receiver.start();
    local.answerWith(({ body }, response) => {
      const [message] = JSON.parse(body) as readonly { readonly message_id: string }[];
      response.end(JSON.stringify({ failed: [message?.message_id] }));
    });
    const running = await listen(local.url);
    await create();
    const [forwarded] = await local.receive(1);
    const [delivered] = await sink.receive(1);
    await local.stop();
    expect(forwarded?.body).toBe(delivered?.body);
    const { body = '', headers = {} } = forwarded ?? {};
    verify({ body, headers, keys: [subscription.signing_key], toleranceSeconds: 300, now: new Date() });
    await running.prints('  rejected\n');
  });

  it('waits for a local server that starts later, and continues with the next message', async () => {
    const port = await freePort();
    const running = await listen(`http://localhost:${port}/hook`);
    const first = await create();
    await running.says('ECONNREFUSED');
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => void bodies.push(chunk));
      request.on('end', () => response.writeHead(200).end());
    });
    server.listen(port);
    await running.prints('  200\n');
    expect(await running.interrupt()).toBe(130);

    const missed = await create();
    await sink.receive(2);
    const second = await listen(`http://localhost:${port}/hook`, '--after', nextOf(running), '--json');
    await second.prints('"outcome":"200"');
    await close(server);
    expect(bodies.map((body) => (JSON.parse(body) as { details: Item }).details.id)).toEqual([first.id, missed.id]);
  });

  it('shows refusals and slow answers of the local server, and continues with the next message', async () => {
    const local = await Receiver.start();
    const answers = [
      (status: (code: number) => void) => status(500),
      () => undefined, // The local server never answers the message.
      (status: (code: number) => void) => status(204),
    ];
    local.answerWith((_, response) => answers[local.messages.length - 1]?.((code) => response.writeHead(code).end()));
    const running = await listen(local.url, '--timeout', '1');
    for (let count = 0; count < 3; count += 1) await create();
    await running.prints('  204\n');
    const outcomes = [...running.stdout.matchAll(/^CANDIDATE_CREATE {2}\S+ {2}(.*)$/gm)].map(([, outcome]) => outcome);
    expect(outcomes).toEqual(['500', 'no answer within 1 s', '204']);
    await local.stop();
  });

  it('continues after the service was unavailable', async () => {
    const local = await Receiver.start();
    const running = await listen(local.url);
    await setup.service.api.end('SIGKILL');
    await running.says('tries again');
    await setup.service.api.start();
    await running.says('The connection to the API works again.');
    await create();
    await local.receive(1);
    await running.interrupt();
    await local.stop();
  });

  it('reads the only endpoint without --endpoint, and lists the endpoints when there are several', async () => {
    const { client } = setup.service;
    for (const collection of ['notification_topics', 'notification_endpoints'])
      for (const { url } of await client.get<readonly Item[]>(`/${collection}`)) await client.delete(url);
    const none = await setup.cli.run(['listen', '--forward-to', sink.url]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no notification endpoint.') });
    const [, data = ''] = /'(.*)'/.exec(none.stderr) ?? [];
    const { id } = await client.post<Item>('/notification_endpoints', JSON.parse(data));
    const local = await Receiver.start();
    const running = new RunningCli(setup.cli.start(['listen', '--forward-to', local.url]));
    await running.says('listening');
    await create();
    await local.receive(1);
    await running.interrupt();
    await local.stop();
    await client.post('/notification_endpoints', { name: 'Another machine' });
    expect(await setup.cli.run(['listen', '--forward-to', sink.url])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`  --endpoint ${id}  My machine\n`),
    });
  });

  it('exits with 1 when the endpoint was deleted', async () => {
    const child = setup.cli.start(['listen', '--endpoint', endpoint, '--forward-to', 'http://localhost:1']);
    const running = new RunningCli(child);
    await running.says('listening');
    await setup.service.client.delete(`/notification_topics/${subscription.topic.id}`);
    await waitUntil('it ends', 100_000, () => child.exitCode !== null);
    expect(child.exitCode).toBe(1);
    expect(running.stderr).toContain('status 404');
  });

  it.each(['localhost:4000', 'ftp://localhost', 'http://name:password@localhost', 'nowhere'])(
    'refuses %s as the address to forward to',
    async (to) => {
      expect(await setup.cli.run(['listen', '--endpoint', endpoint, '--forward-to', to])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--forward-to'),
      });
    },
  );

  it.each(['-1', '1.5', 'x', ''])('refuses "%s" as the position to start after', async (after) => {
    const { code } = await setup.cli.run([
      'listen',
      '--endpoint',
      endpoint,
      '--forward-to',
      sink.url,
      '--after',
      after,
    ]);
    expect(code).toBe(2);
  });
});

it.each([
  ['get', 'candidates'],
  ['create', 'candidates', '--data', '{}'],
  ['patch', 'candidates', '1', '--data', '{}'],
  ['delete', 'candidates', '1'],
  ['export', 'candidates', '--output', 'interrupted.ndjson'],
  ['changes', '--follow'],
  ['listen', '--endpoint', '1', '--forward-to', 'http://localhost:1'],
  ['login', '--url', 'http://localhost'],
])('Ctrl-C ends ats %s at once, with exit code 130', async (...args) => {
  const server = createServer(); // The server never answers.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const asked = once(server, 'request');
  const child = setup.cli.start(
    args.map((arg) => arg.replace(/^http:\/\/localhost$/, url)),
    { ATS_URL: url },
  );
  child.stdin.end();
  const ended = outcomeOf(child);
  await asked;
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toMatch(args[0] === 'changes' ? /^next: now\n$/ : /^$/);
  await close(server);
});

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
