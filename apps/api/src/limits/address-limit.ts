import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { RedisLink } from '../config/redis-link.js';
import { Metrics } from '../metrics/metrics.js';
import { networkOf } from './address.js';
import { limitProblem } from './limit-problem.js';
import { LIMIT_SETTINGS, type LimitSettings } from './limit-settings.js';
import { secondsOf } from './rate-limit-state.js';

const WINDOW_MS = 60_000;

type AddressSetting = 'boardRequests' | 'boardApplications' | 'boardUploads';

/**
 * Limits the requests of a client network per minute (see `networkOf`) on routes without credentials. Redis counts for
 * all processes together. Without Redis there is no limit.
 * Source: docs/reference/limits.md, "Public boards".
 */
@Injectable()
export class AddressLimit {
  constructor(
    private readonly redis: RedisLink,
    private readonly metrics: Metrics,
    @Inject(LIMIT_SETTINGS) private readonly settings: LimitSettings,
  ) {}

  /** Counts a request. @throws {Problem} 429 above the limit */
  async admit(request: FastifyRequest, setting: AddressSetting): Promise<void> {
    const limit = this.settings[setting];
    if (limit === 0) return;
    const key = `ats:${setting}:${networkOf(request)}`;
    const [count, leftMs] = (await this.redis.ask((client) => client.countInWindow(key, WINDOW_MS))) ?? [0, 0];
    if (count <= limit) return;
    this.metrics.requestLimited('address');
    throw limitProblem({ reason: 'address', retryAfterSeconds: secondsOf(leftMs) }, this.settings);
  }
}
