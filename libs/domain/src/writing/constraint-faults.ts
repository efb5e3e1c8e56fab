import { type Message, message } from '@ats/message';
import { type RowSource } from '../vocabulary/resource.js';
import { ValidationError } from '../vocabulary/validation-error.js';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** Conditions that a request can meet when it is checked and no longer when it is written, since time passes. */
const CHECKS: Readonly<Record<string, { readonly path: string; readonly info: Message }>> = {
  ck_notification_subscriptions_window: {
    path: '/end_dt',
    info: message`expected a moment after ${'start_dt'}, which defaults to now`,
  },
};

/**
 * What PostgreSQL said about a constraint, as the fault of the property behind it: so a clash that only shows under
 * concurrency is answered like one that was there before. Anything else is returned as it is.
 * @param uniques  unique constraints by name, each with the JSON pointer that clashes
 */
export function toValidationError(
  error: unknown,
  { name, type }: RowSource,
  uniques: Readonly<Record<string, string>> = type.uniques,
): unknown {
  const { code, constraint } = postgresFault(error);
  if (constraint === undefined) return error;
  if (code === UNIQUE_VIOLATION) {
    const path = uniques[constraint];
    return path === undefined ? error : new ValidationError(name, [{ path, code: 'already_exists' }]);
  }
  const check = CHECKS[constraint];
  if (code === CHECK_VIOLATION && check) return new ValidationError(name, [{ ...check, code: 'invalid' }]);
  const reference = Object.keys(type.relations).find((relation) => constraint === `fk_${type.table ?? ''}_${relation}`);
  if (code === FOREIGN_KEY_VIOLATION && reference) {
    return new ValidationError(name, [
      { path: `/${reference}_id`, code: 'invalid', info: message`there is no such object` },
    ]);
  }
  return error;
}

function postgresFault(error: unknown): { readonly code?: string; readonly constraint?: string } {
  if (typeof error !== 'object' || error === null) return {};
  // TypeORM wraps the driver's error and copies its properties, node-postgres throws it bare.
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
  };
}
