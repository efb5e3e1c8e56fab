import { EnvironmentError } from '@ats/configuration';
import { MigrationRefusedError } from '@ats/postgres';
import { UnknownTimeZoneError } from '../rules/system/system-settings.js';

/**
 * Returns what a command prints for an error: one line when an operator can correct the cause, otherwise the error with
 * its stack trace.
 */
export function printableError(error: unknown): unknown {
  const isExplained =
    error instanceof EnvironmentError ||
    error instanceof MigrationRefusedError ||
    error instanceof UnknownTimeZoneError;
  if (isExplained) return error.message;
  const { code } = error as { readonly code?: unknown };
  const isUnreachable =
    typeof code === 'string' && /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|28P01|28000|3D000)/.test(code);
  return isUnreachable ? `the database of DATABASE_URL cannot be reached: ${code}` : error;
}
