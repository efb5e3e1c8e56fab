import { describe, expect, it } from '@jest/globals';
import { ACCEPTED_URLS, LOOPBACK_URLS, REFUSED_URLS } from '../../test/urls.js';
import { checkDestinationUrl, type DestinationRules } from './destination-url.js';
import { DestinationRefusedError, type DestinationRefusedCode } from './errors.js';
import { Networks } from './networks.js';

const strict: DestinationRules = { allowHttp: false, allowPrivate: false };
const development: DestinationRules = { allowHttp: true, allowPrivate: true };

const refusalOf = (text: string, rules = strict): DestinationRefusedError | undefined => {
  try {
    checkDestinationUrl(text, rules);
    return undefined;
  } catch (error) {
    if (error instanceof DestinationRefusedError) return error;
    throw error;
  }
};
const codeOf = (text: string, rules = strict): DestinationRefusedCode | undefined => refusalOf(text, rules)?.code;

describe('checkDestinationUrl', () => {
  it.each([...REFUSED_URLS])('refuses the URL %j with the reason %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it.each([...LOOPBACK_URLS])('refuses %s, which is this machine', (text) => {
    expect(codeOf(text)).toBe('address');
  });

  it.each([...ACCEPTED_URLS])('accepts the URL %s', (text) => {
    expect(codeOf(text)).toBeUndefined();
  });

  it('accepts http and local names in development', () => {
    for (const url of ['http://localhost:4000/', 'http://receiver:4000/', 'http://127.0.0.1:4000/'])
      expect(codeOf(url, development)).toBeUndefined();
  });

  it('accepts addresses in allowed networks, and refuses local names', () => {
    const rules = { ...strict, allowed: Networks.of('10.20.0.0/16', 'fd12::/16') };
    expect(
      ['https://10.20.1.1/', 'https://0xa.20.1.1/', 'https://[fd12::1]/'].map((url) => codeOf(url, rules)),
    ).toEqual([undefined, undefined, undefined]);
    expect(
      ['https://10.21.1.1/', 'https://[::ffff:10.20.1.1]/', 'https://hooks.internal/'].map((url) => codeOf(url, rules)),
    ).toEqual(['address', 'address', 'host_name']);
  });

  it('applies allowHttp and allowPrivate separately', () => {
    expect(codeOf('http://example.com/', { allowHttp: true, allowPrivate: false })).toBeUndefined();
    expect(codeOf('http://localhost:4000/', { allowHttp: true, allowPrivate: false })).toBe('host_name');
    expect(codeOf('http://localhost:4000/', { allowHttp: false, allowPrivate: true })).toBe('scheme');
  });

  it.each([
    ['http://user@localhost:4000/', 'credentials'],
    ['http://localhost:22/', 'port'],
    ['http://169.254.169.254/', 'address'],
    ['http://metadata.google.internal/', 'host_name'],
    ['http://metadata/', 'host_name'],
    ['http://../', 'host_name'],
  ])('refuses %s in development too', (url, code) => {
    expect(codeOf(url, development)).toBe(code);
  });

  it('names neither the URL nor the address in its message', () => {
    const error = refusalOf('https://10.20.30.40/secret-path');
    expect(error?.message).toBe('expected a host whose IP addresses are all public');
    expect(JSON.stringify({ ...error })).not.toMatch(/10\.20|secret/);
  });
});
