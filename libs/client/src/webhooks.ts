import { type ReceivedHeaders, verify, type WebhookBody } from '@ats/webhook-signing';
import { type Webhooks } from './generated/types.gen.js';

export {
  EmptySigningKeyError,
  MalformedSignatureError,
  SignatureMismatchError,
  TimestampOutsideToleranceError,
  WebhookSigningError,
} from '@ats/webhook-signing';

/**
 * The body of a notification. The header `X-Service-Notify-Type` states the type of the notification. Some bodies
 * repeat it as `type`.
 */
export type Message = Webhooks['body'];

/** A notification as it arrived, with the keys and the limit of age for its verification. */
export interface ReceivedMessage {
  /** The raw bytes of the request, before anything has parsed them. */
  readonly body: WebhookBody;
  readonly headers: ReceivedHeaders;
  /** The known signing keys. During a rotation there are two. */
  readonly keys: readonly string[];
  /** Maximum age of the message in seconds. Defaults to five minutes. */
  readonly toleranceSeconds?: number;
  /** The time of arrival. Defaults to now. */
  readonly now?: Date;
}

/**
 * Verifies the signature of a notification and parses its body.
 * @throws {EmptySigningKeyError} when `keys` is empty or contains an empty key: correct the settings of the receiver
 * @throws {WebhookSigningError} when the message is not genuine or too old: answer with 401 and ignore it
 * @throws {TypeError} when the body is a batch, which {@link readMessages} reads
 */
export function readMessage(received: ReceivedMessage): Message {
  const parsed = verified(received);
  if (Array.isArray(parsed)) throw new TypeError('the endpoint has a batch: read the messages with readMessages');
  return parsed as Message;
}

/**
 * Verifies the signature of a request and parses the messages in its body: the messages of a batch, or a single one.
 * @throws {EmptySigningKeyError} as {@link readMessage}
 * @throws {WebhookSigningError} as {@link readMessage}
 */
export function readMessages(received: ReceivedMessage): readonly Message[] {
  const parsed = verified(received);
  return (Array.isArray(parsed) ? parsed : [parsed]) as readonly Message[];
}

function verified({ body, headers, keys, toleranceSeconds = 300, now = new Date() }: ReceivedMessage): unknown {
  verify({ body, headers, keys, toleranceSeconds, now });
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}
