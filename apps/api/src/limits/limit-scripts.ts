import { type RedisClient } from '@ats/redis-connection';
import { type Result } from 'ioredis';

/** The verdict of `ADMIT`: the request is admitted, or exceeds a limit. */
export const VERDICT = { admitted: 0, overRate: 1, overConcurrency: 2, overDatabaseTime: 3, overBytes: 4 } as const;

/**
 * `[verdict, requests in the window, milliseconds until its end]`, then the database time in µs and the bytes in the
 * window of the budgets, and the milliseconds until its end.
 */
export type AdmissionReply = readonly [
  verdict: number,
  used: number,
  leftMs: number,
  databaseUs: number,
  bytes: number,
  budgetLeftMs: number,
];

/** `[failures in the minute, milliseconds until its end]` */
export type WindowReply = readonly [failures: number, leftMs: number];

/** Lua code that sets `now` to the time in ms. Tests pass the time in the argument with the given index. */
const NOW = (index: number): string => `
local now = tonumber(ARGV[${index}])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/**
 * Counts a request and takes a lease for it. The end of a window is stored beside its count, so that the window is
 * exact to the millisecond and does not grow when the clock is set back. A refused request is not counted, with one
 * exception: a request over the concurrency limit counts for the rate limit. KEYS: window, leases, spending. ARGV: rate
 * limit, window in ms, concurrency limit, ms until a lease expires, name of the lease, budget of database time in µs,
 * budget of bytes, and for tests the time in ms. A limit of 0 is not applied.
 */
const ADMIT = `
local limit, windowMs, concurrency, leaseMs = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local databaseUs, bytes = tonumber(ARGV[6]), tonumber(ARGV[7])${NOW(8)}
local used, ends = 0, now + windowMs
local spentUs, spentBytes, spentEnds = 0, 0, now + windowMs
local function reply(verdict) return {verdict, used, ends - now, spentUs, spentBytes, spentEnds - now} end
if limit > 0 then
  local window = redis.call('HMGET', KEYS[1], 'used', 'ends')
  local known = tonumber(window[2])
  if known and known > now and known <= ends then used, ends = tonumber(window[1]), known end
end
if databaseUs > 0 or bytes > 0 then
  local spent = redis.call('HMGET', KEYS[3], 'us', 'bytes', 'ends')
  local known = tonumber(spent[3])
  if known and known > now and known <= spentEnds then
    spentUs, spentBytes, spentEnds = tonumber(spent[1]), tonumber(spent[2]), known
  end
end
if limit > 0 and used >= limit then return reply(${VERDICT.overRate}) end
if databaseUs > 0 and spentUs >= databaseUs then return reply(${VERDICT.overDatabaseTime}) end
if bytes > 0 and spentBytes >= bytes then return reply(${VERDICT.overBytes}) end
if limit > 0 then
  used = used + 1
  redis.call('HSET', KEYS[1], 'used', used, 'ends', ends)
  if used == 1 then redis.call('PEXPIRE', KEYS[1], windowMs) end
end
if concurrency > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  if redis.call('ZCARD', KEYS[2]) >= concurrency then return reply(${VERDICT.overConcurrency}) end
  redis.call('ZADD', KEYS[2], now + leaseMs, ARGV[5])
  redis.call('PEXPIRE', KEYS[2], leaseMs)
end
return reply(${VERDICT.admitted})
`;

/**
 * Releases the lease of a request, and adds the database time and bytes that it has used to the window of the budgets.
 * A window begins with the first spending after the end of the previous window. KEYS: leases, spending. ARGV: name of
 * the lease, database time in µs, bytes, window in ms, and for tests the time in ms.
 */
const SETTLE = `
local windowMs = tonumber(ARGV[4])${NOW(5)}
local left = redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] == '0' and ARGV[3] == '0' then return left end
local ends = tonumber(redis.call('HGET', KEYS[2], 'ends'))
if ends and ends > now and ends <= now + windowMs then
  redis.call('HINCRBY', KEYS[2], 'us', ARGV[2])
  redis.call('HINCRBY', KEYS[2], 'bytes', ARGV[3])
else
  redis.call('HSET', KEYS[2], 'us', ARGV[2], 'bytes', ARGV[3], 'ends', now + windowMs)
  redis.call('PEXPIRE', KEYS[2], windowMs)
end
return left
`;

/**
 * Renews leases. A lease that was removed stays removed. KEYS: leases. ARGV: ms until the leases expire, their names.
 */
const RENEW = `
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', ends, ARGV[index]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
`;

/** Counts a request in a window. KEYS: counter of the client network. ARGV: window in ms. */
const COUNT_IN_WINDOW = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {count, left}
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitRequest(
      window: string,
      leases: string,
      spending: string,
      ...values: readonly (string | number)[]
    ): Result<AdmissionReply, Context>;
    settleRequest(leases: string, spending: string, ...values: readonly (string | number)[]): Result<number, Context>;
    renewLeases(leases: string, ...values: readonly (string | number)[]): Result<number, Context>;
    countInWindow(address: string, windowMs: number): Result<WindowReply, Context>;
  }
}

/**
 * Adds the scripts as commands to a Redis client. The client sends the digest of a script. It sends the script itself
 * only when the server does not know the digest.
 */
export function defineLimitCommands(client: RedisClient): void {
  client.defineCommand('admitRequest', { numberOfKeys: 3, lua: ADMIT });
  client.defineCommand('settleRequest', { numberOfKeys: 2, lua: SETTLE });
  client.defineCommand('renewLeases', { numberOfKeys: 1, lua: RENEW });
  client.defineCommand('countInWindow', { numberOfKeys: 1, lua: COUNT_IN_WINDOW });
}
