import { type Message, message } from '@ats/message';

/** The form item that a violation is about. Source: docs/reference/errors.md, "Error body". */
export interface ViolatedItem {
  readonly item_id: number;
  readonly item_key: string;
  readonly section_instance: number;
  readonly form_instance: number;
}

/** The codes of violations. The first four are common to all resources. Source: docs/reference/errors.md. */
export const VIOLATION_CODES = [
  'missing',
  'invalid',
  'already_exists',
  'read_only',
  'anonymised',
  'channel_unavailable',
  'form_hidden',
  'idempotency_mismatch',
  'in_use',
  'infected',
  'invalid_transition',
  'is_ping',
  'no_address',
  'no_subscriptions',
  'not_pending',
  'not_visible',
  'opportunity_not_open',
  'quota_exceeded',
  'scan_pending',
  'state_conflict',
  'subscription_disabled',
  'too_complex',
] as const;
export type ViolationCode = (typeof VIOLATION_CODES)[number];

/** Maps codes of violations to their meanings, for codes that only some resources have. */
export type ErrorCodes = Readonly<Partial<Record<ViolationCode, string>>>;

/** One violation of a request. Source: docs/reference/errors.md. */
export interface Violation extends Partial<ViolatedItem> {
  /** JSON pointer to the property; `""` means the body or the resource as a whole. */
  readonly path: string;
  readonly code: ViolationCode;
  readonly info?: Message;
  /** A more precise `info`. Only clients that may read the resource of the error see it. */
  readonly infoForReaders?: Message;
  /** The object that the violation is about. The answer leaves it out for clients that may not read the object. */
  readonly existing?: ExistingObject;
}

/** An object that prevents a write, such as the holder of a unique value. */
export interface ExistingObject {
  /** Name of the object's resource. */
  readonly resource: string;
  readonly id: number;
}

/**
 * Maximum number of violations in one answer, so that no answer has megabytes of them. A check may stop after more
 * violations.
 */
export const MAX_VIOLATIONS = 1_000;

/**
 * The error for a body, or a state of the resource, that does not allow a write. It has at most `MAX_VIOLATIONS`
 * violations of the request. When there are more, one further violation says how many are left out.
 * Source: docs/reference/errors.md.
 */
export class ValidationError extends Error {
  readonly violations: readonly Violation[];

  constructor(
    /** Name of the collection, as `/schemas` lists it. */
    readonly resource: string,
    violations: readonly Violation[],
  ) {
    const listed = boundedViolations<Violation>(violations, (info) => ({ path: '', code: 'invalid', info }));
    super(`${resource}: ${listed.map(({ path, code }) => `${code} at "${path}"`).join(', ')}`);
    this.name = 'ValidationError';
    this.violations = listed;
  }
}

/**
 * A concurrent write has stored the same unique value after the check of this write, and before its statement. When
 * this write runs again, its check finds the object with the value.
 */
export class UniqueConflictError extends ValidationError {}

/**
 * Returns the violations, at most `MAX_VIOLATIONS`. When there are more, adds one violation that says how many are left
 * out.
 * @param omission  makes the added violation from its text
 */
export function boundedViolations<Entry>(
  violations: readonly Entry[],
  omission: (info: Message) => Entry,
): readonly Entry[] {
  const more = violations.length - MAX_VIOLATIONS;
  if (more <= 0) return violations;
  return [
    ...violations.slice(0, MAX_VIOLATIONS),
    omission(message`more errors are not listed (at least ${more}): correct the listed ones first`),
  ];
}

/** The error for an id that no item of the collection has. */
export class NotFoundError extends Error {
  /** Text of the violation, for a request whose body refers to the missing item. */
  readonly info: Message;

  constructor(
    readonly resource: string,
    readonly id: number,
  ) {
    const info = message`there is no ${resource} ${id}`;
    super(String(info));
    this.name = 'NotFoundError';
    this.info = info;
  }
}
