import { type SigningKeys } from '@ats/domain';
import { NEXT_SIGNATURE_HEADER, sign, SIGNATURE_HEADER, signStandardWebhook } from '@ats/webhook-signing';

const USER_AGENT = 'applicant-tracking-notifier/1';

/**
 * Returns the headers of one attempt, with signatures over the exact text that is sent. While a signing key is being
 * replaced, both keys sign (docs/reference/signing.md).
 * @param sentAt  start of the attempt, part of the signature
 */
export function messageHeaders(
  message: { readonly messageId: string; readonly sequence: number; readonly attempt: number; readonly body: string },
  { current, next }: SigningKeys,
  sentAt: Date,
): Readonly<Record<string, string>> {
  const { body } = message;
  const keys = next ? [current, next.key] : [current];
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-service-notify-attempt': String(message.attempt),
    'x-service-notify-sequence': String(message.sequence),
    [SIGNATURE_HEADER]: sign({ body, key: current, sentAt }),
    ...(next && { [NEXT_SIGNATURE_HEADER]: sign({ body, key: next.key, sentAt }) }),
    ...signStandardWebhook({ id: message.messageId, body, keys, sentAt }),
  };
}
