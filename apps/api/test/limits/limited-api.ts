import { RedisLink } from '../../src/config/redis-link.js';
import { type Environment } from '../../src/config/env.js';
import { type Answer } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { until } from './locked-boards.js';

/**
 * Timeout of Redis commands in ms. With the default timeout, requests on a busy machine could pass without being
 * counted.
 */
const PATIENCE_MS = 20_000;

/** A URL at which no Redis listens, for tests in which nothing is counted. */
export const NO_REDIS = 'redis://127.0.0.1:1';

/**
 * Starts another API with these limits, by default a rate limit of 20 requests. It uses the database of `api` and, by
 * default, its Redis. Resolves when the API is connected to Redis, so that it counts the first request.
 */
export async function startLimited(api: Api, limits: Partial<Environment>): Promise<Api> {
  const limited = await api.beside({ RATE_LIMIT: 20, ...limits });
  const link = limited.app.get(RedisLink);
  Object.assign(link, { timeoutMs: PATIENCE_MS });
  if (limits.REDIS_URL !== NO_REDIS) await until(() => Promise.resolve(link.isUp));
  return limited;
}

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

/**
 * Reads the RateLimit headers of an answer.
 * @returns null when the answer has none of them
 * @throws when one is missing or not a whole number
 */
export function rateLimitOf({ headers }: Pick<Answer, 'headers'>): RateLimit | null {
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
  const texts = names.map((name) => headers[name]);
  if (texts.every((text) => text === undefined)) return null;
  const [limit = NaN, remaining = NaN, reset = NaN] = texts.map((text) =>
    text !== undefined && /^\d+$/.test(text) ? Number(text) : NaN,
  );
  if ([limit, remaining, reset].some(Number.isNaN)) throw new Error(`${names.join()} are ${texts.join()}`);
  return { limit, remaining, reset };
}
