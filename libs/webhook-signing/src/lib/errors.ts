/** The reason of an error, for programs and metrics. Messages may change, but codes never do. */
export type WebhookSigningErrorCode =
  | 'empty_signing_key'
  | 'invalid_option'
  | 'malformed_signature'
  | 'signature_mismatch'
  | 'timestamp_outside_tolerance';

/**
 * Base class of all errors of this library. No message contains a key, a body or an expected signature, so messages may
 * be logged. Source: docs/reference/signing.md.
 */
export abstract class WebhookSigningError extends Error {
  /** The code of the error, for programs. */
  abstract readonly code: WebhookSigningErrorCode;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The error for an empty key, or when no key is given. With an empty key anyone could sign. */
export class EmptySigningKeyError extends WebhookSigningError {
  /** The code of the error, for programs. */
  readonly code = 'empty_signing_key';

  constructor() {
    super('expected at least one signing key, and none of them empty');
  }
}

/**
 * The error for a mistake of the calling program: a parsed body, a key that is not a text, a negative tolerance, an
 * invalid id.
 */
export class InvalidOptionError extends WebhookSigningError {
  /** The code of the error, for programs. */
  readonly code = 'invalid_option';

  /** @param option name of the invalid option */
  constructor(
    /** The name of the option. */ readonly option: string,
    expected: string,
  ) {
    super(`${option}: expected ${expected}`);
  }
}

/** The error for a header that is missing or does not have the form of a signature. Nothing was compared. */
export class MalformedSignatureError extends WebhookSigningError {
  /** The code of the error, for programs. */
  readonly code = 'malformed_signature';

  /** @param header lower-case name of the header */
  constructor(
    /** The name of the header. */ readonly header: string,
    expected: string,
  ) {
    super(`${header}: expected ${expected}`);
  }
}

/**
 * The error for a signature that no key produces. The key is wrong, or the body, the timestamp or the signature was
 * changed in transit.
 */
export class SignatureMismatchError extends WebhookSigningError {
  /** The code of the error, for programs. */
  readonly code = 'signature_mismatch';

  constructor() {
    super('no signing key gives this signature for this timestamp and body');
  }
}

/** The error for a genuine signature whose timestamp is too old, or too far in the future, for this receiver. */
export class TimestampOutsideToleranceError extends WebhookSigningError {
  /** The code of the error, for programs. */
  readonly code = 'timestamp_outside_tolerance';

  /**
   * @param differenceSeconds  now minus timestamp. It is positive for an old message, and negative for one from the
   *   future
   * @param toleranceSeconds  maximum accepted difference in either direction
   */
  constructor(
    /** The age of the message, negative for a time in the future. */ readonly differenceSeconds: number,
    /** The maximum accepted difference in seconds, in either direction. */ readonly toleranceSeconds: number,
  ) {
    super(`expected a timestamp within ${toleranceSeconds} s of now, found a difference of ${differenceSeconds} s`);
  }
}
