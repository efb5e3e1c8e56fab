import { schemas, variable } from '@ats/configuration';
import { parseRedisUrl, RedisUrlError } from './redis-url.js';

const FORM = 'must be redis://user:password@host:port/database, or rediss:// for TLS';

/**
 * The variable with the URL of Redis, for a process of `@ats/configuration`. Its value is the checked text, which the
 * process must parse again with `parseRedisUrl`.
 */
export const redisVariables = {
  REDIS_URL: variable({
    schema: schemas.readBy(
      (text) => (parseRedisUrl(text), text),
      (error) => (error instanceof RedisUrlError ? error.message : FORM),
    ),
    description:
      'The Redis server, or several: nodes of a cluster (`redis://user:password@h1:6379,h2:6379?mode=cluster`) or ' +
      'sentinels (`redis://user:password@s1:26379,s2:26379/0?mode=sentinel&master=primary`). ' +
      'Redis holds only data that can be rebuilt.',
    example: 'redis://user:password@host:6379/0',
    isSecret: true,
  }),
} as const;
