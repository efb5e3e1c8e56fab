import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NameServer } from '../../test/name-server.js';
import { createDnsResolver } from './dns-resolver.js';
import { type Resolve } from './resolve.js';

let server: NameServer;
let resolve: Resolve;

beforeEach(async () => {
  server = await NameServer.start();
  resolve = createDnsResolver({ timeoutMs: 4_000, servers: [server.address] });
});
afterEach(() => server.stop());

/** A resolver that soon gives up queries without an answer. Answered queries have enough time. */
const resolveSoon: Resolve = (name) => createDnsResolver({ timeoutMs: 1_000, servers: [server.address] })(name);

describe('a host name', () => {
  it('is resolved to its IPv4 and IPv6 addresses', async () => {
    server.know = () => ['192.0.2.1', '2001:db8::1', '192.0.2.2'];
    expect([...(await resolve('example.com'))].sort()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(server.asked).toEqual(['example.com', 'example.com']);
  });

  it('is resolved to the addresses of the name for which it is an alias', async () => {
    server.know = (name) => (name === 'example.com' ? { aliasOf: 'inside.example' } : ['10.0.0.1']);
    expect(await resolve('example.com')).toEqual(['10.0.0.1']);
  });

  it('is queried again for each look-up, because its name server can return another address each time', async () => {
    let queries = 0;
    server.know = (_, type) => (type === 'AAAA' ? [] : queries++ % 2 === 0 ? ['8.8.8.8'] : ['127.0.0.1']);
    expect([await resolve('example.com'), await resolve('example.com'), await resolve('example.com')]).toEqual([
      ['8.8.8.8'],
      ['127.0.0.1'],
      ['8.8.8.8'],
    ]);
  });

  it.each(['silence', 'failure'] as const)(
    'is resolved to its IPv4 addresses when the answer to the IPv6 query is %s',
    async (other) => {
      server.know = (_, type) => (type === 'A' ? ['192.0.2.1'] : other);
      expect(await resolve('example.com')).toEqual(['192.0.2.1']);
    },
  );

  it.each([
    ['does not exist', null],
    ['has no address', []],
    ['is an alias of a name that does not exist', { aliasOf: 'nowhere.example' }],
  ])('is unresolved, with isOwnError false, when it %s', async (_, known) => {
    server.know = (name) => (name === 'example.com' ? known : null);
    await expect(resolve('example.com')).rejects.toMatchObject({ isOwnError: false });
  });

  it.each(['silence', 'failure'] as const)(
    'is unresolved, with isOwnError false, when its name servers answer with %s',
    async (known) => {
      server.know = () => known;
      await expect(resolveSoon('example.com')).rejects.toMatchObject({ isOwnError: false });
    },
  );
});

describe('a resolver', () => {
  it('rejects with isOwnError true when it never answers', async () => {
    server.know = () => 'silence';
    server.knowsRoot = false;
    await expect(resolveSoon('example.com')).rejects.toMatchObject({ isOwnError: true });
  });

  it('rejects with isOwnError true when it answers too late', async () => {
    server.know = () => ['192.0.2.1'];
    server.delayMs = 60_000;
    await expect(resolveSoon('example.com')).rejects.toMatchObject({ isOwnError: true });
  });

  it('rejects with isOwnError true when it cannot be reached', async () => {
    const { address } = server;
    await server.stop();
    await expect(createDnsResolver({ timeoutMs: 300, servers: [address] })('example.com')).rejects.toMatchObject({
      isOwnError: true,
    });
    server = await NameServer.start();
  });
});
