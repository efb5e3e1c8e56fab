import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { networkInterfaces } from 'node:os';
import { NameServer } from '../../test/name-server.js';
import { DestinationRefusedError } from './errors.js';
import { DestinationGuard, type GuardSettings } from './guard.js';
import { Networks } from './networks.js';

let server: NameServer;

beforeAll(async () => {
  server = await NameServer.start();
});
beforeEach(() => {
  server.know = () => null;
});
afterAll(() => server.stop());

const guard = (settings: Partial<GuardSettings> = {}): DestinationGuard =>
  new DestinationGuard({ allowHttp: false, allowPrivate: false, nameServers: [server.address], ...settings });

describe('DestinationGuard', () => {
  it('returns the addresses in the answers of the name servers', async () => {
    server.know = () => ['8.8.8.8', '2606:4700::1111'];
    expect((await guard().vet('https://example.com/')).addresses).toEqual(['2606:4700::1111', '8.8.8.8']);
  });

  it('refuses an alias of a private name', async () => {
    server.know = (name) => (name === 'example.com' ? { aliasOf: 'inside.example' } : ['10.0.0.1']);
    await expect(guard().vet('https://example.com/')).rejects.toThrow(DestinationRefusedError);
  });

  it('returns the addresses of one answer, and refuses a later answer with a private address', async () => {
    let queries = 0;
    server.know = (_, type) => (type === 'AAAA' ? [] : queries++ % 2 === 0 ? ['8.8.8.8'] : ['127.0.0.1']);
    expect((await guard().vet('https://example.com/')).addresses).toEqual(['8.8.8.8']);
    await expect(guard().vet('https://example.com/')).rejects.toThrow(DestinationRefusedError);
  });

  it('refuses the addresses of this machine, unless their network is allowed', async () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) =>
      (entries ?? []).filter(({ family }) => family === 'IPv4'),
    );
    expect(own.length).toBeGreaterThan(0);
    for (const { address } of own) {
      server.know = (_, type) => (type === 'A' ? [address] : []);
      await expect(guard().vet('https://example.com/')).rejects.toThrow(DestinationRefusedError);
      const allowed = Networks.of(`${address}/32`);
      expect((await guard({ allowed }).vet('https://example.com/')).addresses).toEqual([address]);
    }
  });

  it('uses the resolver of its settings', async () => {
    const inside = guard({ allowed: Networks.of('10.0.0.0/8'), resolve: () => Promise.resolve(['10.0.0.1']) });
    expect((await inside.vet('https://example.com/')).addresses).toEqual(['10.0.0.1']);
  });

  it('reads the hosts file when private addresses are allowed', async () => {
    const development = guard({ allowPrivate: true, allowHttp: true, nameServers: undefined });
    expect((await development.vet('http://localhost:4000/')).addresses).toContain('127.0.0.1');
  });
});
