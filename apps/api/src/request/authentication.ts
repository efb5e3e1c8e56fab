import { API_PREFIX } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { isGone, onceOver } from '@ats/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { networkOf } from '../limits/address.js';
import { CredentialLimits, type Refusal } from '../limits/credential-limits.js';
import { FailureLimit } from '../limits/failure-limit.js';
import { LIMIT_SETTINGS, type LimitSettings } from '../limits/limit-settings.js';
import { rateLimitHeaders } from '../limits/rate-limit-state.js';
import { Metrics } from '../metrics/metrics.js';
import { Problem } from '../vocabulary/problem.js';
import { CredentialStore, type KnownCredential, tokenOf } from './credential-store.js';
import { statedVersion } from './negotiation.js';
import { sendProblem } from './problem.filter.js';
import { RouteTable } from './route-table.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, where that matters. */
    credential?: KnownCredential;
    /** Gives back the place of the request among those of its credential. */
    release?: () => void;
  }
}

interface AuthenticationResult {
  readonly credential: KnownCredential | null;
  /** Of the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Problem | null;
  /** To be called when the answer is sent. */
  readonly release?: () => void;
}

/**
 * Who asks, and whether there is room for one more of their requests: found out once, before anything else is looked at, so that whatever
 * the answer is, it says how much is left. What is public is the same for everybody, and not limited.
 */
@Injectable()
export class Authentication {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly limits: CredentialLimits,
    private readonly failures: FailureLimit,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
    private readonly routes: RouteTable,
    private readonly metrics: Metrics,
  ) {}

  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', async (request, reply) => {
      const refusal = await this.authenticate(request, reply);
      // Nobody is there to read an answer: nothing is begun.
      if (isGone(reply)) return reply.hijack();
      if (!refusal) return;
      sendProblem(request, reply, refusal);
      return reply;
    });
    // Before the answer is on its way: who has got it may ask for the next.
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      request.release?.();
      done(null, payload);
    });
  }

  /** @returns 429, or null where the request may go on, be it as nobody's */
  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Problem | null> {
    if (this.credentials.systemLanguage !== undefined) request.presetLanguage = this.credentials.systemLanguage;
    if (!this.#needsAuthentication(request)) return null;
    void reply.header('vary', VARY);
    const { credential, headers, refusal, release } = await this.check(
      request.headers.authorization,
      networkOf(request),
    );
    void reply.headers(headers);
    if (credential) {
      request.credential = credential;
      request.presetLanguage = credential.language;
    }
    if (refusal)
      void reply.header('api-version', statedVersion(request.headers['api-version'], credential?.api_version));
    else if (release) {
      request.release = release;
      // Also of a client that has gone before the answer, or by now.
      onceOver(reply, release);
    }
    return refusal;
  }

  /** Counts a request. @param network  where it comes from, see `networkOf` */
  async check(authorization: string | undefined, network: string): Promise<AuthenticationResult> {
    const credential = await this.credentials.find(tokenOf(authorization), {
      isFlooded: this.failures.isOver(network),
    });
    if (!credential) return this.#countFailure(network);
    const { state, refusal, release } = await this.limits.admit(credential.key_id);
    return { credential, headers: rateLimitHeaders(state), refusal: refusal ? this.#refuse(refusal) : null, release };
  }

  /** A path that does not exist says who asks only where that changes the answer. */
  #needsAuthentication(request: FastifyRequest): boolean {
    const { url } = request.routeOptions;
    if (url !== undefined) return url.startsWith(`${API_PREFIX}/`);
    return this.isLimited(request) || this.routes.isOfVersions(request);
  }

  /** Whether a request without a route is counted. */
  isLimited({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
    const { rate, concurrency, failures } = this.settings;
    return headers.authorization !== undefined && rate + concurrency + failures > 0;
  }

  #refuse({ reason, retryAfterSeconds }: Refusal): Problem {
    this.metrics.requestLimited(reason);
    const { rate, windowMs, concurrency } = this.settings;
    const text =
      reason === 'rate'
        ? message`Too many requests: the limit is ${rate} in ${windowMs / 1_000} s, try again in ${retryAfterSeconds} s`
        : message`Too many requests at the same time: the limit is ${concurrency}, try again when one of them has been answered`;
    return tooMany(text, retryAfterSeconds);
  }

  async #countFailure(network: string): Promise<AuthenticationResult> {
    this.metrics.authenticationFailed();
    const state = await this.failures.count(network);
    const result = { credential: null, headers: rateLimitHeaders(state), refusal: null };
    if (!state?.isOver) return result;
    this.metrics.requestLimited('authentication');
    const { resetSeconds } = state;
    return {
      ...result,
      refusal: tooMany(
        message`Too many requests without valid credentials from this address: try again in ${resetSeconds} s`,
        resetSeconds,
      ),
    };
  }
}

const VARY = 'Api-Version, Accept-Language, Authorization';

const tooMany = (text: Message, seconds: number): Problem =>
  new Problem(429, text, { headers: { 'retry-after': String(seconds) } });
