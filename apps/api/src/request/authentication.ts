import { Readable } from 'node:stream';
import { API_PREFIX, parseToken } from '@ats/domain';
import { runFor } from '@ats/postgres';
import { CLIENT_GONE, isGone, onceOver } from '@ats/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AuditLog } from '../audit/audit-log.js';
import { addressOf, networkOf } from '../limits/address.js';
import { CredentialLimits, type RequestSpending } from '../limits/credential-limits.js';
import { FailureLimit } from '../limits/failure-limit.js';
import { limitHeaders, policyOf } from '../limits/limit-headers.js';
import { limitProblem, type Refusal } from '../limits/limit-problem.js';
import { LIMIT_SETTINGS, type LimitSettings } from '../limits/limit-settings.js';
import { rateLimitHeaders } from '../limits/rate-limit-state.js';
import { Metrics } from '../metrics/metrics.js';
import { type Problem } from '../vocabulary/problem.js';
import { CredentialStore, type KnownCredential, tokenOf, type TokenSender } from './credential-store.js';
import { statedVersion } from './negotiation.js';
import { sendProblem } from './problem.filter.js';
import { RouteTable } from './route-table.js';
import { VARY } from './vary.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The credential of the token. Absent on public routes and without a valid token. */
    credential?: KnownCredential;
    /** Counts the database time and bytes of the request. Absent when no limit needs them. */
    spending?: RequestSpending;
    /**
     * Releases the concurrency lease of the request, and reports the database time and bytes that it has used. May be
     * called more than once.
     * @param bytes  length of the answer's body
     */
    release?: (bytes: number) => void;
  }
}

interface RequestSender extends TokenSender {
  /** Network of the client, see `networkOf`. */
  readonly network: string;
}

/** A client that requests an access token: the key id of its credential, and the credential's token. */
export interface RequestingClient {
  readonly id: string;
  readonly secret: string;
}

interface AuthenticationResult {
  readonly credential: KnownCredential | null;
  /** The `RateLimit-*` headers that the answer gets with any status. */
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Problem | null;
  readonly spending?: RequestSpending | undefined;
  /**
   * Releases the concurrency lease and reports the used database time and bytes. Must be called when the answer is
   * sent.
   * @param bytes  length of its body
   */
  readonly release?: ((bytes: number) => void) | undefined;
}

/**
 * Finds the credential of a request and applies the limits. It does so before any other check, so that every answer,
 * even a refusal, has the `RateLimit-*` headers. Public routes are neither authenticated nor limited.
 */
@Injectable()
export class Authentication {
  readonly #policy: string;

  constructor(
    private readonly credentials: CredentialStore,
    private readonly limits: CredentialLimits,
    private readonly failures: FailureLimit,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
    private readonly routes: RouteTable,
    private readonly metrics: Metrics,
    private readonly audit: AuditLog,
  ) {
    this.#policy = policyOf(settings);
  }

  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', async (request, reply) => {
      const refusal = await this.authenticate(request, reply);
      // The client has closed the connection. The request is dropped before any work is done for it.
      if (isGone(reply)) return reply.hijack();
      if (!refusal) return;
      sendProblem(request, reply, refusal);
      return reply;
    });
    // Releases the concurrency lease before the answer is sent: a client that has the answer may send its next request
    // at once.
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      // The lease of an export is released later, at the end of its stream.
      if (!(payload instanceof Readable)) request.release?.(lengthOf(payload));
      done(null, payload);
    });
    // The last hook before the handler sets the consumer for which the statements of the request count. A consumer that
    // an earlier hook sets would be lost while the body is read.
    fastify.addHook('preHandler', ({ spending }, _reply, done) => {
      if (spending) runFor(spending, done);
      else done();
    });
  }

  /**
   * Sets the credential, the headers and the concurrency lease of a request.
   * @returns 429, or null when the request may continue, with or without a credential
   */
  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Problem | null> {
    if (this.credentials.systemLanguage !== undefined) request.presetLanguage = this.credentials.systemLanguage;
    if (!this.#needsAuthentication(request)) {
      this.credentials.refreshLanguage();
      return null;
    }
    void reply.header('vary', `${VARY}, Authorization`);
    return this.#admit(request, reply, tokenOf(request.headers.authorization));
  }

  /**
   * Authenticates the client of a request for an access token, with the same limits and audit entries as any request.
   * Only the credential's own token is a client secret: an access token must not renew itself.
   * @param client  null when the request names no client
   * @returns 429, or null when the request may continue, with or without a credential
   */
  authenticateClient(
    request: FastifyRequest,
    reply: FastifyReply,
    client: RequestingClient | null,
  ): Promise<Problem | null> {
    const isOwn = client !== null && parseToken(client.secret)?.keyId === client.id;
    return this.#admit(request, reply, isOwn ? client.secret : null);
  }

  async #admit(request: FastifyRequest, reply: FastifyReply, token: string | null): Promise<Problem | null> {
    const { credential, headers, refusal, spending, release } = await this.check(token, {
      network: networkOf(request),
      get address() {
        return addressOf(request);
      },
      requestId: request.id,
    });
    void reply.headers(headers);
    if (credential) request.credential = credential;
    const language = credential?.language ?? this.credentials.systemLanguage;
    if (language !== undefined) request.presetLanguage = language;
    if (refusal)
      void reply.header('api-version', statedVersion(request.headers['api-version'], credential?.api_version));
    else if (release) {
      request.release = release;
      if (spending) request.spending = spending;
      // Also releases the concurrency lease when the client closes the connection before the answer, or has closed it
      // already.
      onceOver(reply, (status) => {
        if (spending) spending.isGone = status === CLIENT_GONE;
        release(0);
      });
    }
    return refusal;
  }

  /** Finds the credential and counts the request. */
  async check(token: string | null, sender: RequestSender): Promise<AuthenticationResult> {
    const { network } = sender;
    const isFlooded = this.failures.isOver(network);
    const credential = await this.credentials.find(token, sender, { isFlooded });
    if (!credential) return this.#countFailure(network, sender.requestId);
    const { states, refusal, ...admitted } = await this.limits.admit(credential.key_id);
    const headers = limitHeaders(this.#policy, states);
    return { credential, headers, refusal: refusal ? this.#refuse(refusal) : null, ...admitted };
  }

  /**
   * True for routes below the API's prefix. A request without a route is authenticated only if its credential can
   * change the answer.
   */
  #needsAuthentication(request: FastifyRequest): boolean {
    const { url } = request.routeOptions;
    if (url !== undefined) return url.startsWith(`${API_PREFIX}/`);
    return this.isLimited(request) || this.routes.dependsOnVersion(request);
  }

  /** True when a request without a route counts towards the limits: it has a token, and a limit is in force. */
  isLimited({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
    return headers.authorization !== undefined && (this.#policy !== '' || this.settings.failures > 0);
  }

  #refuse(refusal: Refusal): Problem {
    this.metrics.requestLimited(refusal.reason);
    return limitProblem(refusal, this.settings);
  }

  async #countFailure(network: string, requestId: string): Promise<AuthenticationResult> {
    this.metrics.authenticationFailed();
    this.audit.signInRefused(network, requestId);
    const state = await this.failures.count(network);
    const result = { credential: null, headers: rateLimitHeaders(state), refusal: null };
    if (!state?.isOver) return result;
    return { ...result, refusal: this.#refuse({ reason: 'authentication', retryAfterSeconds: state.resetSeconds }) };
  }
}

const lengthOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
