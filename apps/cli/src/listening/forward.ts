import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { NEXT_SIGNATURE_HEADER, SIGNATURE_HEADER, sign, signStandardWebhook } from '@ats/webhook-signing';
import { UsageError } from '../errors.js';
import { type Parcel, rejectedIds } from './batch.js';
import { type Sender } from './endpoint.js';

/** The address on this machine, and the limits of one request to this address. */
export interface Destination {
  readonly url: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called when nothing answers at the address for the first time. */
  readonly onWait: (reason: string) => void;
}

/** The result of one attempt. Only `answer` and `timeout` show that the server received the message. */
interface Outcome {
  readonly kind: 'answer' | 'timeout' | 'broken' | 'unreachable';
  readonly text: string;
  /** The beginning of the body of an answer 200 to a batch. */
  readonly body?: string;
}

const MAX_BROKEN = 3;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** Number of bytes of an answer that are read. The service reads as many. */
const MAX_BODY_BYTES = 16 * 1024;

/**
 * Sends the messages of one request with the headers that the service sends. Waits while nothing answers at the
 * address, so that no message is lost while the server there restarts.
 * @param sender  returns the present keys and headers; called for each attempt, because waiting may last for hours
 * @returns for each message the status of the answer, or the reason why there is none; `rejected` for a message that
 *   the answer to a batch refuses
 * @throws {UsageError} when no message can ever be sent to the address
 * @throws the reason of the signal, when it aborts
 */
export async function forward(
  parcel: Parcel,
  sender: () => Promise<Sender>,
  destination: Destination,
): Promise<readonly string[]> {
  const { signal, onWait } = destination;
  let broken = 0;
  for (let attempt = 1; ; attempt += 1) {
    const headers = headersOf(parcel, await sender(), attempt);
    const { kind, text, body } = await sendOnce(parcel, headers, destination);
    signal.throwIfAborted();
    if (kind === 'broken') broken += 1;
    if (kind === 'answer' || kind === 'timeout' || broken === MAX_BROKEN) {
      const rejected = rejectedIds(body);
      return parcel.messages.map(({ message_id: id }) => (rejected.has(id.toLowerCase()) ? 'rejected' : text));
    }
    if (attempt === 1) onWait(text);
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
    await pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/**
 * Sends a body once. It does not use `fetch`, because `fetch` refuses some ports and does not tell whether it had a
 * connection.
 */
function sendOnce(
  { body, isBatch }: Parcel,
  headers: Readonly<Record<string, string>>,
  { url, timeoutMs, signal }: Destination,
): Promise<Outcome> {
  const isSecure = url.toLowerCase().startsWith('https:');
  const timeout = AbortSignal.timeout(timeoutMs);
  const limit = AbortSignal.any([signal, timeout]);
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, signal: limit, agent: false };
    const request = (isSecure ? https : http).request(url, options);
    let isConnected = false;
    request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true)));
    request.once('response', (response) => {
      const answer = { kind: 'answer', text: String(response.statusCode) } as const;
      if (isBatch && response.statusCode === 200)
        return void readText(response).then((read) => resolve({ ...answer, body: read }));
      resolve(answer);
      response.resume(); // Reads and drops the body of the answer, which nobody needs.
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const text = error.code ?? error.message;
      if (timeout.aborted) {
        const seconds = timeoutMs / 1_000;
        if (isConnected) resolve({ kind: 'timeout', text: `no answer within ${seconds} s` });
        else resolve({ kind: 'unreachable', text: `no connection within ${seconds} s` });
      } else if (isRefusedByTls(request.socket, text))
        reject(new UsageError(`${url} cannot be sent to: ${error.message.trim()} (${text}).`, { cause: error }));
      else resolve({ kind: isConnected ? 'broken' : 'unreachable', text });
    });
    request.end(body);
  });
}

/** Reads the beginning of an answer. When the answer breaks off, returns the text that has arrived. */
async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if ((size += chunk.length) >= MAX_BODY_BYTES) break;
    }
  } catch {
    // Ignores an error in the body, because the status has arrived, and the result depends on the status.
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES);
}

/** True when the certificate cannot be trusted, or when the server does not speak TLS. */
const isRefusedByTls = (socket: Socket | null, code: string): boolean =>
  (socket instanceof TLSSocket && Boolean(socket.authorizationError)) ||
  code === 'EPROTO' ||
  code.startsWith('ERR_SSL_');

/**
 * Returns the headers of a request with messages.
 * Source: docs/reference/notifications.md, "Messages" and "Batches"; docs/reference/signing.md.
 */
function headersOf(
  { body, messages, isBatch }: Parcel,
  { signing_key: key, next_signing_key: next, custom_headers: custom }: Sender,
  attempt: number,
): Record<string, string> {
  const sentAt = new Date();
  const [first] = messages;
  const id = isBatch ? randomUUID() : first.message_id;
  return {
    ...custom,
    'content-type': 'application/json',
    'user-agent': 'applicant-tracking-notifier/1',
    'x-service-notify-attempt': String(attempt),
    'x-service-notify-sequence': messages.map(({ sequence }) => sequence).join(','),
    'x-service-notify-type': first.type,
    [SIGNATURE_HEADER]: sign({ body, key, sentAt }),
    ...(next !== null && { [NEXT_SIGNATURE_HEADER]: sign({ body, key: next, sentAt }) }),
    ...signStandardWebhook({ body, keys: next === null ? [key] : [key, next], id, sentAt }),
  };
}
