import { type RowSource } from '../model/representation-sql.js';
import { ValidationError } from './validation-error.js';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * What PostgreSQL said about a constraint, as the fault of the property behind it: so a clash that only shows under
 * concurrency is answered like one that was there before. Anything else is returned as it is.
 * @param uniques  unique constraints by name, each with the JSON pointer that clashes
 */
export function toValidationError(error: unknown, { name, type }: RowSource, uniques: Readonly<Record<string, string>> = type.uniques): unknown {
  const { code, constraint } = postgresFault(error);
  if (constraint === undefined) return error;
  if (code === UNIQUE_VIOLATION) {
    const path = uniques[constraint];
    return path === undefined ? error : new ValidationError(name, [{ path, code: 'already_exists' }]);
  }
  const reference = Object.keys(type.relations).find((relation) => constraint === `fk_${type.table ?? ''}_${relation}`);
  if (code === FOREIGN_KEY_VIOLATION && reference) {
    return new ValidationError(name, [{ path: `/${reference}_id`, code: 'invalid', info: 'there is no such object' }]);
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
