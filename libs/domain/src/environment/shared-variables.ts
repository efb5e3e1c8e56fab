import { type Requirement, schemas, variable } from '@ats/configuration';
import { z } from 'zod';

const secretKey = z.string().min(32, { error: 'must be a text of at least 32 characters' });

/**
 * Variables that several processes read. They are declared once, so that all processes check them alike.
 * Source: docs/reference/operations.md.
 */
export const sharedVariables = {
  DATABASE_URL: variable({
    schema: schemas.serverUrl(['postgres:', 'postgresql:']),
    description: 'The PostgreSQL database. It holds all data that must not be lost.',
    example: 'postgres://user:password@host:5432/ats',
    isSecret: true,
  }),
  PUBLIC_BASE_URL: variable({
    // Clients see the URL, so it must not contain a password. Paths are appended to it, so it must not contain `?` or
    // `#`.
    schema: schemas
      .serverUrl(['http:', 'https:'])
      .refine((text) => !/[?#]/.test(text) && new URL(text).username + new URL(text).password === '', {
        error: 'must have no user, no password, no ? and no #',
      })
      // Header values such as `Location` take only ASCII characters.
      .transform((text) => new URL(text).href.replace(/\/+$/, '')),
    description: 'The URL at which clients reach the API. Every address in answers and notifications begins with it.',
    example: 'https://ats.example.com',
  }),
  SECRET_KEY: variable({
    schema: secretKey,
    description:
      'Encrypts signing keys in the database. Any text of at least 32 characters, the same in both apps. ' +
      'If it is lost, the signing keys are lost.',
    isSecret: true,
  }),
  SECRET_KEY_PREVIOUS: variable({
    schema: secretKey,
    description:
      'A second key while `SECRET_KEY` is rotated: the former key or the next one. ' +
      'It only decrypts; `SECRET_KEY` encrypts.',
    whenAbsent: 'only `SECRET_KEY` decrypts',
    isSecret: true,
  }),
  LOG_LEVEL: variable({
    schema: schemas.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    description: 'The lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    default: 'info',
  }),
  LOG_FORMAT: variable({
    schema: schemas.oneOf(['json', 'pretty']),
    description: '`json` writes one JSON object a line. `pretty` writes text for developers.',
    default: 'json',
  }),
  RELEASE: variable({
    schema: z.string().regex(/^[\w.+-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, ., _, + or -' }),
    description: 'The version or commit of this release. Every log line contains it. Images have it set.',
    default: 'development',
  }),
} as const;

/**
 * Requires that the previous key differs from the current key. White space at the ends of both keys does not count,
 * because a line break at the end of a key is easily overlooked.
 */
export const keyRequirements: readonly Requirement<
  Pick<typeof sharedVariables, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>
>[] = [
  {
    variable: 'SECRET_KEY_PREVIOUS',
    with: ['SECRET_KEY'],
    violation: ({ SECRET_KEY, SECRET_KEY_PREVIOUS }) =>
      SECRET_KEY_PREVIOUS?.trim() === SECRET_KEY.trim() ? 'must be another key than SECRET_KEY' : null,
  },
];
