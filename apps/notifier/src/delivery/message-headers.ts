import { type SigningKeys } from '@ats/domain';
import { NEXT_SIGNATURE_HEADER, sign, SIGNATURE_HEADER, signStandardWebhook } from '@ats/webhook-signing';

const USER_AGENT = 'applicant-tracking-notifier/1';

/** The text that the attempt log shows instead of the values of custom headers, because these can be secrets. */
const HIDDEN = '***';

type Headers = Readonly<Record<string, string>>;

export interface MessageHeaders {
  readonly sent: Headers;
  /** The headers for the attempt log, without the values of custom headers. */
  readonly logged: Headers;
}

/**
 * Returns the headers of one attempt. The signatures are made from the exact text that is sent. During a key rotation,
 * both keys sign (docs/reference/signing.md). Headers of the service take precedence over custom headers.
 * @param sentAt  start of the attempt, which is part of the signature
 */
export function messageHeaders(
  message: {
    readonly messageId: string;
    /** The sequence of the message. For a batch, the sequences of all messages, separated by commas. */
    readonly sequence: number | string;
    readonly attempt: number;
    readonly type: string;
    readonly body: string;
  },
  { current, next }: SigningKeys,
  { sentAt, custom = {} }: { readonly sentAt: Date; readonly custom?: Headers },
): MessageHeaders {
  const { body } = message;
  const keys = next ? [current, next.key] : [current];
  const own = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-service-notify-attempt': String(message.attempt),
    'x-service-notify-sequence': String(message.sequence),
    'x-service-notify-type': message.type,
    [SIGNATURE_HEADER]: sign({ body, key: current, sentAt }),
    ...(next && { [NEXT_SIGNATURE_HEADER]: sign({ body, key: next.key, sentAt }) }),
    ...signStandardWebhook({ id: message.messageId, body, keys, sentAt }),
  };
  const hidden = Object.fromEntries(Object.keys(custom).map((name) => [name, HIDDEN]));
  return { sent: { ...custom, ...own }, logged: { ...hidden, ...own } };
}
