import { type RedisClient } from '@ats/redis-connection';
import { type Result } from 'ioredis';

/** The verdict of `ADMIT`: the request is admitted, exceeds the rate limit, or exceeds the concurrency limit. */
export const VERDICT = { admitted: 0, overRate: 1, overConcurrency: 2 } as const;

/** `[verdict, requests in the window, milliseconds until its end]` */
export type AdmissionReply = readonly [verdict: number, used: number, leftMs: number];

/** `[failures in the minute, milliseconds until its end]` */
export type FailureReply = readonly [failures: number, leftMs: number];

/**
 * Counts a request and takes a lease for it. The end of a window is stored beside its count, so that the window is
 * exact to the millisecond and does not grow when the clock is set back. A request beyond the rate limit writes nothing
 * and is not counted.
 * KEYS: window, leases. ARGV: rate limit, window in ms, concurrency limit, ms until a lease expires, name of the lease,
 * and for tests the time in ms. A limit of 0 is not applied.
 */
const ADMIT = `
local limit, windowMs, concurrency, leaseMs = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
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
if concurrency > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  if redis.call('ZCARD', KEYS[2]) >= concurrency then return {${VERDICT.overConcurrency}, used, ends - now} end
  redis.call('ZADD', KEYS[2], now + leaseMs, ARGV[5])
  redis.call('PEXPIRE', KEYS[2], leaseMs)
end
return {${VERDICT.admitted}, used, ends - now}
`;

/**
 * Renews leases. Does not create a removed lease again. KEYS: leases. ARGV: ms until the leases expire, their names.
 */
const RENEW = `
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', ends, ARGV[index]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
`;

/** Counts a failed authentication. KEYS: counter of the client network. ARGV: window in ms. */
const COUNT_FAILURE = `
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
      leases: string,
      ...values: readonly (string | number)[]
    ): Result<AdmissionReply, Context>;
    renewLeases(leases: string, ...values: readonly (string | number)[]): Result<number, Context>;
    countFailure(address: string, windowMs: number): Result<FailureReply, Context>;
  }
}

/**
 * Adds the scripts as commands of a client. The client sends the digest of a script, and its text when the server does
 * not have the script.
 */
export function defineLimitCommands(client: RedisClient): void {
  client.defineCommand('admitRequest', { numberOfKeys: 2, lua: ADMIT });
  client.defineCommand('renewLeases', { numberOfKeys: 1, lua: RENEW });
  client.defineCommand('countFailure', { numberOfKeys: 1, lua: COUNT_FAILURE });
}
