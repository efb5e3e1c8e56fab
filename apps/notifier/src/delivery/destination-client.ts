import { DestinationRefusedError, DestinationUnresolvedError, vetDestination, type VetOptions } from '@ats/destination-guard';
import { type Dispatcher } from 'undici';
import { type Answer, type AttemptError, type AttemptOutcome } from './attempt-outcome.js';
import { classifyError } from './classify-error.js';
import { MAX_EXCERPT_BYTES, toExcerpt } from './excerpt.js';
import { PinnedConnections } from './pinned-connections.js';

export interface DestinationClientOptions {
  readonly vetting: VetOptions;
  /** From the start of the exchange to the end of the response's headers. */
  readonly headersTimeoutMs: number;
  /** How long the body may take after that; it is read for the log alone. */
  readonly bodyTimeoutMs: number;
}

/** Limits of one attempt. Source: CONTRACT.md 8 (headers within 10 s), NOTIFIER.md 2. */
export const EXCHANGE_LIMITS = { headersTimeoutMs: 10_000, bodyTimeoutMs: 2_000 } as const;

const MAX_BODY_BYTES = 64 * 1024;
const MAX_KEPT_HEADERS = 16;
const MAX_KEPT_HEADER_LENGTH = 1_024;

export interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts to addresses that clients chose: checked, bounded in time and size, and without following anything. */
export class DestinationClient {
  private readonly connections = new PinnedConnections();

  constructor(private readonly options: DestinationClientOptions) {}

  /** Makes one attempt. Never rejects: whatever goes wrong is the outcome. */
  async post(message: OutgoingMessage): Promise<AttemptOutcome> {
    const startedAt = performance.now();
    const sinceStart = (): number => Math.round(performance.now() - startedAt);
    const times = { resolveMs: null as number | null, headersMs: null as number | null };
    const end = (error: AttemptError | null, more: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
      error, answer: null, isOurFault: false, remoteAddress: null, ...times, durationMs: sinceStart(), ...more,
    });
    try {
      const { url, addresses } = await vetDestination(message.url, this.options.vetting);
      times.resolveMs = sinceStart();
      const answer = await this.connections.use(url, addresses, (pool) =>
        this.exchange(pool, { ...message, path: `${url.pathname}${url.search}` }, () => (times.headersMs = sinceStart())),
      );
      return end(errorOfStatus(answer.statusCode), { answer, remoteAddress: addresses.length === 1 ? (addresses[0] ?? null) : null });
    } catch (error) {
      if (error instanceof DestinationRefusedError) return end('blocked');
      if (error instanceof DestinationUnresolvedError) {
        return end(error.isOurFault ? 'resolver_unavailable' : 'name_not_found', { isOurFault: error.isOurFault });
      }
      return end(error instanceof TimeoutError ? 'timeout' : classifyError(error));
    }
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  private async exchange(
    pool: Dispatcher,
    { path, headers, body }: OutgoingMessage & { readonly path: string },
    onHeaders: () => void,
  ): Promise<Answer> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new TimeoutError()), this.options.headersTimeoutMs);
    const response = await pool
      .request({ path, method: 'POST', headers, body, signal: controller.signal })
      .finally(() => clearTimeout(timer));
    onHeaders();
    // The answer counts from here on: a body that is slow, broken or endless changes nothing.
    const { bytes, isTruncated } = await readBeginning(response.body, this.options.bodyTimeoutMs);
    return {
      statusCode: response.statusCode,
      headers: keepHeaders(response.headers),
      retryAfter: [response.headers['retry-after'] ?? []].flat()[0] ?? null,
      excerpt: toExcerpt(bytes),
      isTruncated,
    };
  }
}

class TimeoutError extends Error {}

async function readBeginning(body: Dispatcher.ResponseData['body'], timeoutMs: number): Promise<{ bytes: Buffer; isTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  body.on('error', () => undefined);
  const timer = setTimeout(() => body.destroy(), timeoutMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_BODY_BYTES) break;
    }
    return { bytes: Buffer.concat(chunks), isTruncated: length > MAX_EXCERPT_BYTES };
  } catch {
    return { bytes: Buffer.concat(chunks), isTruncated: true };
  } finally {
    clearTimeout(timer);
  }
}

function errorOfStatus(statusCode: number): AttemptError | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  return statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status';
}

function keepHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const kept = Object.entries(headers).slice(0, MAX_KEPT_HEADERS);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, String(value ?? '').replaceAll('\0', '\ufffd').slice(0, MAX_KEPT_HEADER_LENGTH)]),
  );
}
