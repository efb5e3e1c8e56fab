import { z } from 'zod';
import { schemas } from './schemas.js';
import { variable } from './variable.js';

/** The variables that more than one process reads, so that they are checked alike everywhere. Source: CONTRACT.md 10 and 11. */
export const sharedVariables = {
  DATABASE_URL: variable({
    schema: schemas.serverUrl(['postgres:', 'postgresql:']),
    description: 'The PostgreSQL database with everything that must not be lost.',
    example: 'postgres://user:password@host:5432/ats',
    isSecret: true,
  }),
  PUBLIC_BASE_URL: variable({
    // It is told to everybody, and what follows it is a path.
    schema: schemas
      .serverUrl(['http:', 'https:'])
      .refine((text) => !/[?#]/.test(text) && new URL(text).username + new URL(text).password === '', {
        error: 'must have no user, no password, no ? and no #',
      })
      .transform((text) => text.replace(/\/+$/, '')),
    description: 'How clients reach the API: the beginning of every address in answers and notifications.',
    example: 'https://ats.example.com',
  }),
  SECRET_KEY: variable({
    schema: z.string().min(32, { error: 'must be a text of at least 32 characters' }),
    description:
      'Encrypts signing keys in the database: any text of at least 32 characters, the same in both apps. Without it they are lost.',
    isSecret: true,
  }),
  LOG_LEVEL: variable({
    schema: schemas.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    description: 'The least of what is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    default: 'info',
  }),
  LOG_FORMAT: variable({
    schema: schemas.oneOf(['json', 'pretty']),
    description: '`json`: one object for each line, for machines. `pretty`: for people who develop.',
    default: 'json',
  }),
  RELEASE: variable({
    schema: z.string().regex(/^[\w.+-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, ., _, + or -' }),
    description:
      'Which release this is, as it stands in every line of the log: a version or a commit. Images have it set.',
    default: 'development',
  }),
} as const;
