import { parseRedisUrl, RedisUrlError } from '@ats/redis-connection';
import { z } from 'zod';
import { schemas } from './schemas.js';
import { variable } from './variable.js';

/** Checked at the start, and read again by who connects. */
const redisUrl = z.string().superRefine((text, context) => {
  try {
    parseRedisUrl(text);
  } catch (error) {
    if (!(error instanceof RedisUrlError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});

/** The variables that more than one process reads, so that they are checked alike everywhere. Source: CONTRACT.md 10 and 11. */
export const sharedVariables = {
  DATABASE_URL: variable({
    schema: schemas.serverUrl(['postgres:', 'postgresql:']),
    description: 'The PostgreSQL database with everything that must not be lost.',
    example: 'postgres://user:password@host:5432/ats',
    isSecret: true,
  }),
  REDIS_URL: variable({
    schema: redisUrl,
    description:
      'The Redis server, or several: nodes of a cluster (`redis://user:password@h1:6379,h2:6379?mode=cluster`) or sentinels (`redis://user:password@s1:26379,s2:26379/0?mode=sentinel&master=ats`). Nothing in it that cannot be made again.',
    example: 'redis://user:password@host:6379/0',
    isSecret: true,
  }),
  PUBLIC_BASE_URL: variable({
    schema: schemas.serverUrl(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
    description: 'How clients reach the API: the beginning of every address in answers and notifications.',
    example: 'https://ats.example.com',
  }),
  SECRET_KEY: variable({
    schema: z.string().min(32, { error: 'must be a text of at least 32 characters' }),
    description: 'Encrypts signing keys in the database: any text of at least 32 characters, the same in both apps. Without it they are lost.',
    isSecret: true,
  }),
  LOG_LEVEL: variable({
    schema: schemas.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    description: 'The least of what is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    default: 'info',
  }),
} as const;
