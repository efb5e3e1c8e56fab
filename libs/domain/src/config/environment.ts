import { z } from 'zod';

/** A wrong start, told once and whole: every wrong variable by its name, none by its value. */
export class EnvironmentError extends Error {
  constructor(readonly faults: readonly { readonly variable: string; readonly info: string }[]) {
    super(`wrong environment:\n${faults.map(({ variable, info }) => `  ${variable}: ${info}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

/**
 * Reads a process's configuration from its environment.
 * @param schema       one key per variable; an empty variable counts as absent
 * @param environment  `process.env`, passed by the one file of each app that may read it
 * @throws {EnvironmentError} naming every wrong variable
 * Source: CONTRACT.md 10.
 */
export function readEnvironment<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<z.output<z.ZodObject<Shape>>> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const result = schema.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  throw new EnvironmentError(
    result.error.issues.map((issue) => {
      const variable = String(issue.path[0]);
      return { variable, info: variable in given ? issue.message : 'is required but not set' };
    }),
  );
}

/** `TRUE`, `true`, `1`, `yes` and their opposites. */
const flag = z
  .enum(['true', 'false', '1', '0', 'yes', 'no'], { error: 'must be true or false' })
  .transform((text) => ['true', '1', 'yes'].includes(text));

const serverUrl = (protocols: readonly string[]): z.ZodType<string, string> =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

/** The variables that more than one process reads, so that they are checked alike everywhere. */
export const variables = {
  DATABASE_URL: serverUrl(['postgres:', 'postgresql:']),
  REDIS_URL: serverUrl(['redis:', 'rediss:']),
  PUBLIC_BASE_URL: serverUrl(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  SECRET_KEY: z.string().min(32, { error: 'must be a text of at least 32 characters' }),
  BOOTSTRAP_TOKEN: z.string().regex(/^ats_[A-Za-z0-9]{8,32}_[A-Za-z0-9_-]{43}$/, {
    error: 'must be ats_<key id of 8 to 32 letters or digits>_<43 base64url characters>',
  }),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    error: 'must be one of fatal, error, warn, info, debug, trace, silent',
  }),
  /** A TCP port. */
  port: z.string().regex(/^\d+$/, { error: 'must be a port number' }).transform(Number).pipe(z.number().min(1).max(65_535, { error: 'must be a port number from 1 to 65535' })),
  flag,
} as const;
