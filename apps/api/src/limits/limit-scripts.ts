import { type RedisClient } from '@ats/redis-connection';
import { type Result } from 'ioredis';

/** What a script says of a request: let in, one too many in its window, one too many at the same time. */
export const VERDICT = { admitted: 0, overRate: 1, overConcurrency: 2 } as const;

/** `[verdict, requests in the window, milliseconds to its end]` */
export type AdmissionReply = readonly [verdict: number, used: number, leftMs: number];

/** `[failures in the minute, milliseconds to its end]` */
export type FailureReply = readonly [failures: number, leftMs: number];

/**
 * Counts a request and takes a place for it. The end of a window is kept beside its count, so that it holds to the millisecond,
 * and a clock that was set back does not make it longer. Refused requests are not counted, and write nothing, when the rate refuses them.
 * KEYS: window, places. ARGV: limit, window in ms, places, ms after which a place is free unless it is held on to, name of the place, and, for tests, the time.
 */
const ADMIT = `
local limit, windowMs, places, placeMs = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(ARGV[6])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local used, ends = 0, now + windowMs
if limit > 0 then
  local window = redis.call('HMGET', KEYS[1], 'used', 'ends')
  local known = tonumber(window[2])
  if known and known > now and known <= ends then used, ends = tonumber(window[1]), known end
  if used >= limit then return {${VERDICT.overRate}, used, ends - now} end
  used = used + 1
  redis.call('HSET', KEYS[1], 'used', used, 'ends', ends)
  if used == 1 then redis.call('PEXPIRE', KEYS[1], windowMs) end
end
if places > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  if redis.call('ZCARD', KEYS[2]) >= places then return {${VERDICT.overConcurrency}, used, ends - now} end
  redis.call('ZADD', KEYS[2], now + placeMs, ARGV[5])
  redis.call('PEXPIRE', KEYS[2], placeMs)
end
return {${VERDICT.admitted}, used, ends - now}
`;

/** Holds on to places. One that is free by now stays so. KEYS: places. ARGV: ms, names. */
const HOLD = `
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', ends, ARGV[index]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
`;

/** Counts a failed authentication. KEYS: the address. ARGV: window in ms. */
const FAIL = `
local failures = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {failures, left}
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitRequest(
      window: string,
      places: string,
      ...values: readonly (string | number)[]
    ): Result<AdmissionReply, Context>;
    renewLeases(places: string, ...values: readonly (string | number)[]): Result<number, Context>;
    countFailure(address: string, windowMs: number): Result<FailureReply, Context>;
  }
}

/** Makes the scripts commands of a client: by their digest, and whole where the server has forgotten them. */
export function defineLimitCommands(client: RedisClient): void {
  client.defineCommand('admitRequest', { numberOfKeys: 2, lua: ADMIT });
  client.defineCommand('renewLeases', { numberOfKeys: 1, lua: HOLD });
  client.defineCommand('countFailure', { numberOfKeys: 1, lua: FAIL });
}
