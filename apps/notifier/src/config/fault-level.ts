import { DatabaseAwayError } from '@ats/postgres';

/**
 * At which level a failure is told of that is repeated. That PostgreSQL is away is told once, when it begins; what fails because of it
 * would fill a disk.
 */
export const faultLevel = <Level extends 'warn' | 'error'>(error: unknown, level: Level): Level | 'debug' =>
  error instanceof DatabaseAwayError ? 'debug' : level;
