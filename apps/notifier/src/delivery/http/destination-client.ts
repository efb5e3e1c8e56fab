import { type DestinationGuard, DestinationRefusedError, DestinationUnresolvedError } from '@ats/destination-guard';
import { type ClientCertificate } from '@ats/domain';
import { type IncomingHttpHeaders } from 'node:http';
import { readBody } from './answer-body.js';
import { type AttemptError, type AttemptOutcome } from './attempt-outcome.js';
import { classifyError, isShortage } from './classify-error.js';
import { post, TooLateError } from './exchange.js';
import { PinnedConnections } from './pinned-connections.js';

/** Timeouts of one attempt. In addition, name resolution may take at most 3 s, and connecting at most 5 s. */
export interface ExchangeLimits {
  /** Time from the start of the connection to the end of the answer's headers. */
  readonly headersTimeoutMs: number;
  /** Time from the end of the headers to the end of the body. */
  readonly bodyTimeoutMs: number;
  /** Time from the start of the name resolution to the end of the body. */
  readonly totalTimeoutMs: number;
}

const LIMITS: ExchangeLimits = { headersTimeoutMs: 10_000, bodyTimeoutMs: 2_000, totalTimeoutMs: 15_000 };

const MAX_KEPT_HEADERS = 16;
const MAX_KEPT_HEADER_LENGTH = 1_024;

export interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The client certificate for TLS. Defaults to none. */
  readonly certificate?: ClientCertificate | null;
  /** The time by `performance.now()` after which nothing is sent. Defaults to no limit. */
  readonly sendBefore?: number;
}

/**
 * Posts messages to the destinations of clients. It checks the IP addresses of destinations, limits the time of an
 * attempt and the size of an answer, and follows no redirects.
 */
export class DestinationClient {
  private readonly connections = new PinnedConnections();

  constructor(
    private readonly guard: DestinationGuard,
    private readonly limits: ExchangeLimits = LIMITS,
  ) {}

  /** Makes one attempt. Errors are a part of the outcome: the promise never rejects. */
  async post(message: OutgoingMessage): Promise<AttemptOutcome> {
    const attempt = new Attempt(this.limits);
    try {
      const destination = await this.guard.vet(message.url);
      attempt.noteResolved();
      return await this.connections.use(destination, message.certificate ?? null, async (agents) => {
        const { url } = destination;
        const outgoing = {
          host: url.host,
          path: `${url.pathname}${url.search}`,
          headers: message.headers,
          body: message.body,
          ...(message.sendBefore !== undefined && { sendBefore: message.sendBefore }),
        };
        const { response, remoteAddress } = await post(agents, outgoing, attempt.timeLeft('headersTimeoutMs'));
        attempt.noteHeaders();
        // From here on the attempt has an answer, even if reading the body fails.
        const { statusCode = 0, headers } = response;
        const body = await readBody(response, attempt.timeLeft('bodyTimeoutMs'));
        const answer = {
          statusCode,
          headers: keepHeaders(headers),
          retryAfter: headers['retry-after'] ?? null,
          ...body,
        };
        return attempt.end(errorOfStatus(statusCode), { answer, remoteAddress });
      });
    } catch (error) {
      const isOwnError =
        (error instanceof DestinationUnresolvedError && error.isOwnError) ||
        error instanceof TooLateError ||
        isShortage(error);
      return attempt.end(errorOf(error), { isOwnError });
    }
  }

  close(): void {
    this.connections.close();
  }
}

/** Measures the times of one attempt. */
class Attempt {
  private readonly startedAt = performance.now();
  private resolveMs: number | null = null;
  private headersMs: number | null = null;

  constructor(private readonly limits: ExchangeLimits) {}

  noteResolved(): void {
    this.resolveMs = this.elapsedMs();
  }

  noteHeaders(): void {
    this.headersMs = this.elapsedMs();
  }

  /** Returns the timeout of one phase in milliseconds. It is shorter when less of `totalTimeoutMs` is left. */
  timeLeft(part: 'headersTimeoutMs' | 'bodyTimeoutMs'): number {
    return Math.max(0, Math.min(this.limits[part], this.limits.totalTimeoutMs - this.elapsedMs()));
  }

  end(error: AttemptError | null, more: Partial<AttemptOutcome>): AttemptOutcome {
    const { resolveMs, headersMs } = this;
    return {
      error,
      answer: null,
      isOwnError: false,
      remoteAddress: null,
      resolveMs,
      headersMs,
      durationMs: this.elapsedMs(),
      ...more,
    };
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }
}

function errorOf(error: unknown): AttemptError {
  if (error instanceof TooLateError) return 'interrupted';
  if (error instanceof DestinationRefusedError) return 'blocked';
  if (error instanceof DestinationUnresolvedError) return error.isOwnError ? 'resolver_unavailable' : 'name_not_found';
  return classifyError(error);
}

function errorOfStatus(statusCode: number): AttemptError | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  return statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status';
}

function keepHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).slice(0, MAX_KEPT_HEADERS);
  const shorten = (text: string): string => text.replaceAll('\0', '\ufffd').slice(0, MAX_KEPT_HEADER_LENGTH);
  return Object.fromEntries(kept.map(([name, value]) => [shorten(name), shorten([value ?? ''].flat().join(', '))]));
}
