import { describe, expect, it } from '@jest/globals';
import { FORBIDDEN_ANSWERS } from '../../test/addresses.js';
import { DestinationRefusedError, DestinationUnresolvedError } from './errors.js';
import { vetDestination, type VetOptions } from './vet-destination.js';

const options = (addresses: readonly string[], more: Partial<VetOptions> = {}): VetOptions => ({
  allowHttp: false,
  allowPrivate: false,
  timeoutMs: 60_000,
  resolve: () => Promise.resolve(addresses),
  ...more,
});
const noResolver = (): never => {
  throw new Error('a literal must not be resolved');
};

describe('vetDestination', () => {
  it('returns all addresses of a public name, each once, in a stable order', async () => {
    const vetted = await vetDestination(
      'https://example.com/hook',
      options(['9.9.9.9', '2606:4700::1111', '8.8.8.8', '9.9.9.9']),
    );
    expect(vetted.addresses).toEqual(['2606:4700::1111', '8.8.8.8', '9.9.9.9']);
    expect(vetted.url.href).toBe('https://example.com/hook');
  });

  it.each([...FORBIDDEN_ANSWERS])('refuses a name whose answer is %s', async (_, addresses) => {
    await expect(vetDestination('https://example.com/', options(addresses))).rejects.toThrow(DestinationRefusedError);
  });

  it('asks the resolver once for each check', async () => {
    let asked = 0;
    const resolve = (): Promise<readonly string[]> => Promise.resolve(asked++ === 0 ? ['8.8.8.8'] : ['127.0.0.1']);
    expect((await vetDestination('https://example.com/', options([], { resolve }))).addresses).toEqual(['8.8.8.8']);
    expect(asked).toBe(1);
  });

  it('returns a literal address without asking the resolver', async () => {
    expect((await vetDestination('https://8.8.8.8/', options([], { resolve: noResolver }))).addresses).toEqual([
      '8.8.8.8',
    ]);
    expect(
      (await vetDestination('https://[2606:4700::1111]/', options([], { resolve: noResolver }))).addresses,
    ).toEqual(['2606:4700::1111']);
  });

  it('refuses the addresses of the machine itself', async () => {
    await expect(
      vetDestination('https://example.com/', options(['8.8.8.8'], { ownAddresses: () => ['8.8.8.8'] })),
    ).rejects.toThrow(DestinationRefusedError);
  });

  it('returns at most 32 addresses of one name', async () => {
    const many = Array.from({ length: 4_000 }, (_, index) => `8.8.${index >> 8}.${index & 255}`);
    expect((await vetDestination('https://example.com/', options(many))).addresses).toHaveLength(32);
  });

  it('rejects with isOwnError true when the resolver does not answer in time', async () => {
    const pending = vetDestination(
      'https://example.com/',
      options([], { resolve: () => new Promise(() => undefined), timeoutMs: 5 }),
    );
    await expect(pending).rejects.toEqual(new DestinationUnresolvedError(true));
    await expect(pending).rejects.toMatchObject({ isOwnError: true });
  });

  it('rejects with isOwnError false when the name has no addresses', async () => {
    await expect(vetDestination('https://example.com/', options([]))).rejects.toMatchObject({ isOwnError: false });
  });
});
