import {
  ISSUE_MESSAGES,
  issueMessage,
  MAX_VIOLATIONS,
  unknownPropertyMessage,
  ValidationError,
  type Violation,
} from '@ats/domain';
import { type z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Option for a rule between properties. Zod then also evaluates the rule when single properties are invalid. */
export const evenIfInvalid = {
  when: ({ value }: { readonly value: unknown }): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
};

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** A valid body, or all violations of its schema. */
export type CheckedBody<Output> =
  | { readonly data: Output; readonly violations?: undefined }
  | { readonly violations: readonly Violation[] };

/**
 * Validates a body against a schema. A required property that is absent is `missing`. Everything else is `invalid`,
 * including unknown properties.
 */
export function checkBody<Output>(schema: z.ZodType<Output>, body: unknown): CheckedBody<Output> {
  const result = schema.safeParse(body, ISSUE_MESSAGES);
  return result.success
    ? { data: result.data }
    : { violations: result.error.issues.flatMap((issue) => violationsOf(issue, body)) };
}

/**
 * Validates a body and returns it.
 * @param resource  name of the collection, as the violations show it
 * @throws {ValidationError} with all violations of the schema
 */
export function parseBody<Output>(resource: string, schema: z.ZodType<Output>, body: unknown): Output {
  const checked = checkBody(schema, body);
  if (checked.violations) throw new ValidationError(resource, checked.violations);
  return checked.data;
}

/**
 * Validates a body and returns it, like {@link parseBody}. When the body violates its schema, the violations include
 * those that `more` finds in the database, so that a client learns all of them at once.
 * @param more  finds violations in properties that may be invalid; not called for a body that is no object
 * @throws {ValidationError} with all violations
 */
export async function parseBodyWith<Output>(
  resource: string,
  schema: z.ZodType<Output>,
  body: unknown,
  more: (given: Readonly<Record<string, unknown>>) => Promise<readonly Violation[]>,
): Promise<Output> {
  const checked = checkBody(schema, body);
  if (!checked.violations) return checked.data;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const others = isObject ? await more(body as Readonly<Record<string, unknown>>) : [];
  throw new ValidationError(resource, [...checked.violations, ...others]);
}

function violationsOf(issue: Issue, body: unknown): Violation[] {
  const path = pointerTo(issue.path);
  if (issue.code === 'unrecognized_keys') {
    // Examines only as many unknown properties as one answer lists. A body of 1 MiB can have 100,000 of them, and
    // finding a similar name takes time.
    return issue.keys.slice(0, MAX_VIOLATIONS + 1).map((key) => ({
      path: `${path}${pointerTo([key])}`,
      code: 'invalid',
      info: unknownPropertyMessage(issue, key),
    }));
  }
  const alternative = issue.code === 'invalid_union' ? issue.errors.find(acceptsTypeOfValue) : undefined;
  if (alternative)
    return alternative.flatMap((inner) => violationsOf({ ...inner, path: [...issue.path, ...inner.path] }, body));
  const value = valueAt(body, issue.path);
  const isAbsent = issue.path.length > 0 && (value === undefined || value === null);
  return [isAbsent ? { path, code: 'missing' } : { path, code: 'invalid', info: issueMessage(issue) }];
}

/** True when an alternative of a union accepts the type of the value. Its issues then concern parts of the value. */
const acceptsTypeOfValue = (issues: readonly Issue[]): boolean =>
  !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

/** Returns the JSON pointer (RFC 6901) of a path. */
export const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns the names in a JSON pointer (RFC 6901). */
export const membersOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    body,
  );
}
