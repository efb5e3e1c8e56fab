import { type Message, message } from '@ats/message';
import { type RowSource } from '../vocabulary/resource.js';
import { UniqueConflictError, ValidationError } from '../vocabulary/validation-error.js';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** Check constraints that a valid request can still violate, because time passes between the check and the write. */
const CHECKS: Readonly<Record<string, { readonly path: string; readonly info: Message }>> = {
  ck_notification_subscriptions_window: {
    path: '/end_dt',
    info: message`expected a timestamp after ${'start_dt'}, which defaults to now`,
  },
};

/**
 * Converts PostgreSQL's error about a constraint to a `ValidationError`, so that a conflict between concurrent writes
 * is answered like any other conflict. Returns every other error unchanged.
 * @param uniques  JSON pointers of the conflicting properties, by name of the unique constraint
 */
export function toValidationError(
  error: unknown,
  { name, type }: RowSource,
  uniques: Readonly<Record<string, string>> = type.uniques,
): unknown {
  const { code, constraint } = postgresViolation(error);
  if (constraint === undefined) return error;
  if (code === UNIQUE_VIOLATION) {
    const path = uniques[constraint];
    return path === undefined ? error : new UniqueConflictError(name, [{ path, code: 'already_exists' }]);
  }
  const check = CHECKS[constraint];
  if (code === CHECK_VIOLATION && check) return new ValidationError(name, [{ ...check, code: 'invalid' }]);
  const reference = Object.keys(type.relations).find((relation) => constraint === `fk_${type.table ?? ''}_${relation}`);
  if (code === FOREIGN_KEY_VIOLATION && reference) {
    return new ValidationError(name, [
      { path: `/${reference}_id`, code: 'invalid', info: message`no object has this id` },
    ]);
  }
  return error;
}

function postgresViolation(error: unknown): { readonly code?: string; readonly constraint?: string } {
  if (typeof error !== 'object' || error === null) return {};
  // An error of node-postgres has these properties itself. TypeORM copies them to the error that wraps it.
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
  };
}
