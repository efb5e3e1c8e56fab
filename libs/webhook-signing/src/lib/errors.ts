/** Why a call was refused; stable, for programs and for measures. Messages may change, codes do not. */
export type WebhookSigningErrorCode =
  | 'empty_signing_key'
  | 'invalid_option'
  | 'malformed_signature'
  | 'signature_mismatch'
  | 'timestamp_outside_tolerance';

/**
 * Base of every error of this library. No message ever holds a key, a body or an expected signature, so all of them may
 * be logged.
 * Source: SPEC.md 6.4.
 */
export abstract class WebhookSigningError extends Error {
  abstract readonly code: WebhookSigningErrorCode;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** A key is the empty text, or no key was given at all: an empty key would make signatures that anyone can make. */
export class EmptySigningKeyError extends WebhookSigningError {
  readonly code = 'empty_signing_key';

  constructor() {
    super('expected at least one signing key, and none of them empty');
  }
}

/** A mistake of the calling program, not of the message: a parsed body, a key that is no text, a negative tolerance, an unusable id. */
export class InvalidOptionError extends WebhookSigningError {
  readonly code = 'invalid_option';

  /** @param option name of the option that was refused */
  constructor(
    readonly option: string,
    expected: string,
  ) {
    super(`${option}: expected ${expected}`);
  }
}

/** A header is missing or has not the form of a signature; nothing was compared. */
export class MalformedSignatureError extends WebhookSigningError {
  readonly code = 'malformed_signature';

  /** @param header lower-case name of the header that was refused */
  constructor(
    readonly header: string,
    expected: string,
  ) {
    super(`${header}: expected ${expected}`);
  }
}

/** No key gives the signature of the header: another key, or body, timestamp or signature were changed on the way. */
export class SignatureMismatchError extends WebhookSigningError {
  readonly code = 'signature_mismatch';

  constructor() {
    super('no signing key gives this signature for this timestamp and body');
  }
}

/** The signature is genuine, but the message is too old, or too far in the future, for this receiver. */
export class TimestampOutsideToleranceError extends WebhookSigningError {
  readonly code = 'timestamp_outside_tolerance';

  /**
   * @param differenceSeconds now minus timestamp: positive for an old message, negative for one from the future
   * @param toleranceSeconds  what the receiver accepts in either direction
   */
  constructor(
    readonly differenceSeconds: number,
    readonly toleranceSeconds: number,
  ) {
    super(`expected a timestamp within ${toleranceSeconds} s of now, found a difference of ${differenceSeconds} s`);
  }
}
