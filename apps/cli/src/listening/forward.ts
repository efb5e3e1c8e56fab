import { setTimeout as pause } from 'node:timers/promises';
import { NEXT_SIGNATURE_HEADER, SIGNATURE_HEADER, sign, signStandardWebhook } from '@ats/webhook-signing';
import { type FeedMessage, type Sender } from './endpoint.js';

/** The address on this machine, and the limits of one request to it. */
export interface Destination {
  readonly url: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called once when nothing answers at the address. */
  readonly onWait: (reason: string) => void;
}

/** The server has not got the message: nothing listens, or the name has no address yet. */
const UNREACHABLE = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];
/** The connection ended before an answer: the server may have got the message. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const MAX_BROKEN = 3;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/**
 * Sends one message with the headers that the service sends. Waits while nothing listens at the address, so that no
 * message is lost while the server there restarts.
 * @returns the status of the answer, or why there is none
 * @throws the reason of the signal, when it aborts
 */
export async function forward(message: FeedMessage, sender: Sender, destination: Destination): Promise<string> {
  const { signal, onWait } = destination;
  let broken = 0;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendOnce(message, sender, attempt, destination);
    signal.throwIfAborted();
    if (BROKEN.includes(outcome)) broken += 1;
    if (!UNREACHABLE.includes(outcome) && !(BROKEN.includes(outcome) && broken < MAX_BROKEN)) return outcome;
    if (attempt === 1) onWait(outcome);
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
    await pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Sends a message once. @returns the status, or the code of the error */
async function sendOnce(
  message: FeedMessage,
  sender: Sender,
  attempt: number,
  { url, timeoutMs, signal }: Destination,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: message.body,
      headers: headersOf(message, sender, attempt),
      signal: AbortSignal.any([signal, timeout]),
      redirect: 'manual',
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    if (timeout.aborted) return `no answer within ${timeoutMs / 1_000} s`;
    const { cause, message: text } = error as Error;
    if (!(cause instanceof Error)) return text;
    return (cause as NodeJS.ErrnoException).code ?? cause.message;
  }
}

/** The headers of a delivery. Source: docs/reference/notifications.md, "Messages"; docs/reference/signing.md. */
function headersOf(
  { body, message_id: id, sequence, type }: FeedMessage,
  { signing_key: key, next_signing_key: next, custom_headers: custom }: Sender,
  attempt: number,
): Record<string, string> {
  const sentAt = new Date();
  return {
    ...custom,
    'content-type': 'application/json',
    'user-agent': 'applicant-tracking-notifier/1',
    'x-service-notify-attempt': String(attempt),
    'x-service-notify-sequence': String(sequence),
    'x-service-notify-type': type,
    [SIGNATURE_HEADER]: sign({ body, key, sentAt }),
    ...(next !== null && { [NEXT_SIGNATURE_HEADER]: sign({ body, key: next, sentAt }) }),
    ...signStandardWebhook({ body, keys: next === null ? [key] : [key, next], id, sentAt }),
  };
}
