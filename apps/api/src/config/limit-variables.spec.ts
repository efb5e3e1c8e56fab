import { expect, it } from '@jest/globals';
import Fastify from 'fastify';
import { limitVariables } from './limit-variables.js';

const { schema } = limitVariables.TRUSTED_PROXIES;

it.each(['10.0.0.0/8', '10.20.0.0/16, fd12:3456::/32', '::ffff:10.0.0.0/104', '0.0.0.0/1'])(
  'TRUSTED_PROXIES accepts %s',
  (text) => {
    expect(schema.parse(text)).toBe(text);
    expect(() => Fastify({ trustProxy: text })).not.toThrow();
  },
);

it.each(['0.0.0.0/0', '::/0', '10.0.0.0/00', '10.0.0.0/8,0.0.0.0/0 ', '10.0.0.0/33', '10.0.0.0', 'loopback', ','])(
  'TRUSTED_PROXIES rejects %s',
  (text) => {
    expect(schema.safeParse(text).error?.issues[0]?.message).toBe(
      'must be a comma-separated list of networks such as 10.20.0.0/16 or fd12:3456::/32, without /0',
    );
  },
);
