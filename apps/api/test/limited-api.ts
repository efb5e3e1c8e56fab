import { RedisLink } from '../src/config/redis-link.js';
import { type Environment } from '../src/config/env.js';
import { type Answer } from './answer.js';
import { type Api } from './api-harness.js';

/** So long a busy machine may keep Redis from answering: where requests pass for that, nothing can be counted. */
const PATIENCE_MS = 20_000;

/** One more process with limits, on the data and the Redis of `api`. */
export async function startLimited(api: Api, limits: Partial<Environment>): Promise<Api> {
  const limited = await api.beside({ RATE_LIMIT: 20, ...limits });
  Object.assign(limited.app.get(RedisLink), { patienceMs: PATIENCE_MS });
  return limited;
}

export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

/** What an answer says of the limit; null when it says nothing. @throws when a header is not a whole number */
export function standingOf({ headers }: Pick<Answer, 'headers'>): Standing | null {
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
  const texts = names.map((name) => headers[name]);
  if (texts.every((text) => text === undefined)) return null;
  const [limit = NaN, remaining = NaN, reset = NaN] = texts.map((text) =>
    text !== undefined && /^\d+$/.test(text) ? Number(text) : NaN,
  );
  if ([limit, remaining, reset].some(Number.isNaN)) throw new Error(`${names.join()} are ${texts.join()}`);
  return { limit, remaining, reset };
}
