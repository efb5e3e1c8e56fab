export { type WebhookBody } from './lib/body.js';
export {
  EmptySigningKeyError,
  InvalidOptionError,
  MalformedSignatureError,
  SignatureMismatchError,
  TimestampOutsideToleranceError,
  WebhookSigningError,
  type WebhookSigningErrorCode,
} from './lib/errors.js';
export { type ReceivedHeaders } from './lib/headers.js';
export {
  NEXT_SIGNATURE_HEADER,
  SIGNATURE_HEADER,
  sign,
  verify,
  type SignOptions,
  type VerifiedSignature,
  type VerifyOptions,
} from './lib/signature.js';
export { createSigningKey, standardWebhooksSecret } from './lib/signing-key.js';
export {
  signStandardWebhook,
  verifyStandardWebhook,
  type SignStandardWebhookOptions,
  type StandardWebhookHeaders,
  type VerifiedStandardWebhook,
  type VerifyStandardWebhookOptions,
} from './lib/standard-webhook.js';
