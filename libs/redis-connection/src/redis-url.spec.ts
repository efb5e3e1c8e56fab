import { describe, expect, it } from '@jest/globals';
import { parseRedisUrl, RedisUrlError } from './redis-url.js';

describe('REDIS_URL', () => {
  it.each([
    ['redis://localhost', { mode: 'single', host: { host: 'localhost', port: 6379 }, database: 0, isEncrypted: false }],
    [
      'redis://127.0.0.1:6380/',
      { mode: 'single', host: { host: '127.0.0.1', port: 6380 }, database: 0, isEncrypted: false },
    ],
    [
      'rediss://default:pw@redis.example.com/3',
      {
        mode: 'single',
        host: { host: 'redis.example.com', port: 6379 },
        database: 3,
        isEncrypted: true,
        username: 'default',
        password: 'pw',
      },
    ],
    [
      'redis://:p%40%2Fw+%25@[::1]:6380',
      { mode: 'single', host: { host: '::1', port: 6380 }, database: 0, isEncrypted: false, password: 'p@/w+%' },
    ],
    [
      'redis://u:a:b@h_1',
      {
        mode: 'single',
        host: { host: 'h_1', port: 6379 },
        database: 0,
        isEncrypted: false,
        username: 'u',
        password: 'a:b',
      },
    ],
    [
      'redis://u:p@h1:7000,h2,[2001:db8::1]:7002?mode=cluster',
      {
        mode: 'cluster',
        hosts: [
          { host: 'h1', port: 7000 },
          { host: 'h2', port: 6379 },
          { host: '2001:db8::1', port: 7002 },
        ],
        isEncrypted: false,
        username: 'u',
        password: 'p',
      },
    ],
    ['rediss://h1/0?mode=cluster', { mode: 'cluster', hosts: [{ host: 'h1', port: 6379 }], isEncrypted: true }],
    [
      'redis://u:p@s1,s2:26380/1?mode=sentinel&master=primary',
      {
        mode: 'sentinel',
        sentinels: [
          { host: 's1', port: 26_379 },
          { host: 's2', port: 26_380 },
        ],
        master: 'primary',
        database: 1,
        isEncrypted: false,
        username: 'u',
        password: 'p',
      },
    ],
    [
      'rediss://s1?mode=sentinel&master=a%20b&sentinel_username=watch&sentinel_password=p%26+q=',
      {
        mode: 'sentinel',
        sentinels: [{ host: 's1', port: 26_379 }],
        master: 'a b',
        database: 0,
        isEncrypted: true,
        sentinelUsername: 'watch',
        sentinelPassword: 'p&+q=',
      },
    ],
  ])('is parsed: %s', (text, servers) => {
    expect(parseRedisUrl(text)).toEqual(servers);
  });

  const shape = /^must be redis:/;
  it.each([
    ['', shape],
    ['localhost:6379', shape],
    ['http://secret', shape],
    ['redis:secret', shape],
    ['redis://secret#0', shape],
    ['redis://user:sec/ret@host', /number of a database.*|neither a name/],
    ['redis://', /neither a name nor an address/],
    ['redis://h:secret', /an invalid port for host: not a number from 1 to 65535/],
    ['redis://h:0', /an invalid port/],
    ['redis://h:65536', /an invalid port/],
    ['redis://h:', /an invalid port/],
    ['redis://sec ret', /neither a name/],
    ['redis://sec\u0000ret', /neither a name/],
    ['redis://secret-', /neither a name/],
    [`redis://${'secret.'.repeat(40)}`, /neither a name/],
    ['redis://300.1.1.1', /neither a name/],
    ['redis://::1', /neither a name/],
    ['redis://[secret]', /neither a name/],
    ['redis://[::1', /neither a name/],
    ['redis://h/secret', /number of a database/],
    ['redis://h/1/2', /number of a database/],
    ['redis://secret@h', /a user without a password/],
    ['redis://secret:%zz@h', /a percent sign/],
    ['redis://h1,h2', /must have mode=cluster or mode=sentinel/],
    ['redis://h1,,h3?mode=cluster', /host 2 of 3/],
    ['redis://h1,h2:secret?mode=cluster', /an invalid port for host 2 of 2/],
    ['redis://h/1?mode=cluster', /a cluster has only database 0/],
    ['redis://h?mode=secret', /cluster or sentinel as its mode/],
    ['redis://h?mode=cluster&mode=cluster', /has the parameter mode twice/],
    ['redis://h?mode=sentinel', /must have the parameter master/],
    ['redis://h?mode=sentinel&master=', /must have the parameter master/],
    ['redis://h?master=secret', /only allowed with mode=sentinel/],
    ['redis://h?mode=cluster&sentinel_password=secret', /only allowed with mode=sentinel/],
    ['redis://h?secret=1', /may have the parameters mode, master, sentinel_username, sentinel_password and no others/],
    ['redis://h?', /may have the parameters/],
    ['redis://h?mode=sentinel&master=%secret', /a percent sign/],
  ])('is rejected with an error that quotes nothing of it: %j', (text, message) => {
    const parse = (): unknown => parseRedisUrl(text);
    expect(parse).toThrow(RedisUrlError);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow(/secret|ret/);
  });

  it('is rejected with all its errors at once', () => {
    expect(() => parseRedisUrl('redis://u@h1:0,-/x?mode=x&a=1&b=2')).toThrow(
      'may have the parameters mode, master, sentinel_username, sentinel_password and no others; must have cluster or sentinel as its mode, or none; ' +
        'has an invalid port for host 1 of 2: not a number from 1 to 65535; has an invalid host 2 of 2: neither a name nor an address (IPv6 in brackets); ' +
        'must have the number of a database as its path, or none; has a user without a password: it must be user:password@ or :password@; ' +
        'has several hosts, so it must have mode=cluster or mode=sentinel',
    );
  });
});
