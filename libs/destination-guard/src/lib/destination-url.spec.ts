import { describe, expect, it } from '@jest/globals';
import { checkDestinationUrl } from './destination-url.js';
import { DestinationRefusedError, type DestinationRefusedCode } from './errors.js';

const strict = { allowHttp: false, allowPrivate: false };
const development = { allowHttp: true, allowPrivate: true };

const codeOf = (text: string, rules = strict): DestinationRefusedCode | undefined => {
  try {
    checkDestinationUrl(text, rules);
    return undefined;
  } catch (error) {
    if (error instanceof DestinationRefusedError) return error.code;
    throw error;
  }
};

describe('checkDestinationUrl', () => {
  it.each([
    ['', 'malformed'],
    ['example.com/hook', 'malformed'],
    ['https://', 'malformed'],
    ['https://exa mple.com/', 'malformed'],
    [' https://example.com/', 'malformed'],
    ['https://example.com/\n', 'malformed'],
    ['https://exam\tple.com/', 'malformed'],
    ['https://[fe80::1%eth0]/', 'malformed'],
    [`https://example.com/${'a'.repeat(2029)}`, 'malformed'],
    ['http://example.com/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https:example.com', 'scheme'],
    ['https:\\\\example.com', 'scheme'],
    ['https://user@example.com/', 'credentials'],
    ['https://user:secret@example.com/', 'credentials'],
    ['https://:secret@example.com/', 'credentials'],
    ['https://example.com:1/', 'port'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:1023/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://localhost/', 'host_name'],
    ['https://localhost./', 'host_name'],
    ['https://api.localhost/', 'host_name'],
    ['https://LOCALHOST/', 'host_name'],
    ['https://intranet/', 'host_name'],
    ['https://printer.local/', 'host_name'],
    ['https://printer.local./', 'host_name'],
    ['https://metadata.google.internal/', 'host_name'],
    ['https://127.0.0.1/', 'address'],
    ['https://127.1/', 'address'],
    ['https://127.0.0.1./', 'address'],
    ['https://0x7f.1/', 'address'],
    ['https://0177.0.0.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://\uff11\uff12\uff17.0.0.1/', 'address'],
    ['https://169.254.169.254/latest/meta-data', 'address'],
    ['https://[::1]/', 'address'],
    ['https://[::ffff:127.0.0.1]/', 'address'],
    ['https://[::ffff:8.8.8.8]/', 'address'],
    ['https://[64:ff9b::7f00:1]/', 'address'],
    ['https://[fd00:ec2::254]/', 'address'],
  ] as const)('refuses %j as %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it.each([
    'https://example.com',
    'HTTPS://example.com/hook?a=1#part',
    'https://example.com:443/',
    'https://example.com:80/',
    'https://example.com:1024/',
    'https://example.com:65535/',
    'https://b\u00fccher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://local.example.com/',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('accepts %s', (text) => {
    expect(codeOf(text)).toBeUndefined();
  });

  it('accepts http and local names in development', () => {
    expect(codeOf('http://localhost:4000/', development)).toBeUndefined();
    expect(codeOf('http://receiver:4000/', development)).toBeUndefined();
    expect(codeOf('http://127.0.0.1:4000/', development)).toBeUndefined();
  });

  it('keeps the two permissions apart', () => {
    expect(codeOf('http://example.com/', { allowHttp: true, allowPrivate: false })).toBeUndefined();
    expect(codeOf('http://localhost:4000/', { allowHttp: true, allowPrivate: false })).toBe('host_name');
    expect(codeOf('http://localhost:4000/', { allowHttp: false, allowPrivate: true })).toBe('scheme');
  });

  it('refuses credentials, low ports and metadata addresses in development too', () => {
    expect(codeOf('http://user@localhost:4000/', development)).toBe('credentials');
    expect(codeOf('http://localhost:22/', development)).toBe('port');
    expect(codeOf('http://169.254.169.254/', development)).toBe('address');
  });

  it('names neither the URL nor the address in its message', () => {
    const message = (): string => {
      try {
        return checkDestinationUrl('https://10.20.30.40/secret-path', strict).href;
      } catch (error) {
        return String(error);
      }
    };
    expect(message()).toContain('DestinationRefusedError');
    expect(message()).not.toMatch(/10\.20|secret/);
  });
});
