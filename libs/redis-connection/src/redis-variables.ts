import { schemas, variable } from '@ats/configuration';
import { parseRedisUrl, RedisUrlError } from './redis-url.js';

const FORM = 'must be redis://user:password@host:port/database, or rediss:// for TLS';

/** Where Redis is, as the environment says it. The text itself: it is read again by who connects. */
export const redisVariables = {
  REDIS_URL: variable({
    schema: schemas.readBy(
      (text) => (parseRedisUrl(text), text),
      (error) => (error instanceof RedisUrlError ? error.message : FORM),
    ),
    description:
      'The Redis server, or several: nodes of a cluster (`redis://user:password@h1:6379,h2:6379?mode=cluster`) or sentinels (`redis://user:password@s1:26379,s2:26379/0?mode=sentinel&master=ats`). Nothing in it that cannot be made again.',
    example: 'redis://user:password@host:6379/0',
    isSecret: true,
  }),
} as const;
