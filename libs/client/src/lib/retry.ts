import { getParseAs } from '../generated/client/utils.gen.js';
import { ConnectionError } from './errors.js';

/** How often a request is repeated, and how long the pauses may be. */
export interface RetryOptions {
  /** Number of repetitions after the first attempt. Defaults to 4. With 0, no request is repeated. */
  readonly retries?: number;
  /**
   * Longest pause in seconds. An answer that asks for a longer wait (`Retry-After`) becomes an error at once. Defaults
   * to 60.
   */
  readonly maxWaitSeconds?: number;
}

const REPEATED = [429, 502, 503, 504];
const FIRST_PAUSE_MS = 250;

/**
 * True for a request that may be executed twice: every method except POST, and a POST that has an idempotency key, that
 * only reads, or that signs in.
 */
const isRepeatable = ({ method, headers, url }: Request): boolean =>
  method !== 'POST' || headers.has('idempotency-key') || /\/(query|preview|oauth\/token)$/.test(new URL(url).pathname);

/**
 * Returns the seconds that `Retry-After` asks to wait. The header may be a number or a date (RFC 9110 10.2.3).
 * Undefined without a valid header.
 */
function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds;
  // Uses the time of the server, because the clock of this machine may be wrong. Without a `Date` header, uses the
  // clock of this machine.
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, (Date.parse(value) - now) / 1_000) || undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}

/** The statuses whose answers have no body. Some browsers give them an empty stream. */
const WITHOUT_BODY = [204, 205, 304];

const incomplete = ({ url }: Request, cause: unknown): Error =>
  new ConnectionError(`The answer of ${new URL(url).origin} is incomplete.`, { cause });

/** Returns an answer with another body. */
const withBody = (response: Response, body: BodyInit): Response =>
  Object.defineProperty(new Response(body, response), 'url', { value: response.url });

/**
 * Reads an answer to its end.
 * @throws {ConnectionError} when the connection breaks before the end
 */
async function readWhole(response: Response, request: Request): Promise<Response> {
  const { body, headers, ok } = response;
  if (!body) return response;
  // HTTP marks the end of a body by its length or by a last chunk. Without these marks, only JSON shows that a body is
  // incomplete: it cannot be parsed.
  const isOpen = !headers.has('content-length') && !headers.has('transfer-encoding');
  try {
    const bytes = await response.arrayBuffer();
    if (ok && isOpen && bytes.byteLength > 0 && getParseAs(headers.get('content-type')) === 'json')
      JSON.parse(new TextDecoder().decode(bytes));
    return withBody(response, bytes);
  } catch (error) {
    throw request.signal.aborted ? error : incomplete(request, error);
  }
}

/** Returns an answer whose stream fails with a `ConnectionError` when the connection breaks before its end. */
function watchStream(response: Response, request: Request): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(request.signal.aborted ? error : incomplete(request, error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return withBody(response, body);
}

/**
 * Sends a request. Repeats it while the service is busy or unreachable, and when the connection breaks before the end
 * of the answer. `Retry-After` decides how long the client pauses. Without this header the pauses grow, with some
 * randomness.
 * @param parseAs  how the caller reads the body. A stream is returned before its end, so it is never repeated
 * @throws the error of `fetch`, when the last attempt had no answer
 * @throws {ConnectionError} when the last attempt had an incomplete answer
 */
export async function sendWithRetries(
  request: Request,
  send: (attempt: Request) => Promise<Response>,
  { retries = 4, maxWaitSeconds = 60 }: RetryOptions,
  parseAs?: string,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt >= retries || !isRepeatable(request);
    let wait = Math.min((FIRST_PAUSE_MS * 2 ** attempt * (1 + Math.random())) / 1_000, maxWaitSeconds);
    try {
      const response = await send(isLast ? request : request.clone());
      const asked = retryAfter(response);
      const isBusy = REPEATED.includes(response.status) || (response.status === 409 && asked !== undefined);
      wait = asked ?? wait;
      if (isLast || !isBusy || wait > maxWaitSeconds) {
        if (WITHOUT_BODY.includes(response.status)) return response;
        // The generated code also returns the stream when the answer has no content type.
        const isStream = parseAs === 'stream' || (parseAs === 'auto' && !response.headers.has('content-type'));
        return response.ok && isStream ? watchStream(response, request) : await readWhole(response, request);
      }
      await response.body?.cancel();
    } catch (error) {
      if (isLast || request.signal.aborted) throw error;
    }
    await pause(wait * 1_000, request.signal);
  }
}
