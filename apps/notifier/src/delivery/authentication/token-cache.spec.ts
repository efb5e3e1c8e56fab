import { describe, expect, it } from '@jest/globals';
import { type AttemptOutcome } from '../http/attempt-outcome.js';
import { TokenCache } from './token-cache.js';
import { type AccessToken, type TokenFailure } from './token-request.js';

const CLIENT = { token_url: 'https://id.example.com/', client_id: 'a', client_secret: 'b', scope: null };
const REFUSED: TokenFailure = { error: 'token_refused', isOwnError: false };

const outcomeOf = (statusCode: number): AttemptOutcome => ({
  error: statusCode < 300 ? null : 'status',
  answer: { statusCode, headers: {}, retryAfter: null, excerpt: '', isTruncated: false },
  isOwnError: false,
  resolveMs: 0,
  headersMs: 0,
  durationMs: 0,
  remoteAddress: null,
});

/** Creates a cache with a clock of its own. Its token server numbers the tokens. */
function useCache(
  answerOf: (count: number) => AccessToken | TokenFailure = (n) => ({ token: `t${n}`, expiresIn: 100 }),
) {
  const world = { now: 0, requests: 0, sent: [] as string[] };
  const cache = new TokenCache({
    now: () => world.now,
    request: () => Promise.resolve(answerOf(++world.requests)),
  });
  const attempt = (status: (token: string) => number = () => 204, endpoint = 1, client = CLIENT) =>
    cache.attempt(endpoint, client, (token) => {
      world.sent.push(token);
      return Promise.resolve(outcomeOf(status(token)));
    });
  return { world, attempt };
}

describe('TokenCache', () => {
  it('uses a token until 30 seconds before it expires', async () => {
    const { world, attempt } = useCache();
    for (const now of [0, 1_000, 69_999, 70_000, 139_999]) {
      world.now = now;
      expect((await attempt()).error).toBeNull();
    }
    expect(world.sent).toEqual(['t1', 't1', 't1', 't2', 't2']);
  });

  it.each([
    [40, 20_000],
    [0, 0],
    [-5, 0],
    [null, 270_000],
    [86_400, 3_570_000],
  ])('uses a token with a lifetime of %s seconds for %s ms', async (expiresIn, validMs) => {
    const { world, attempt } = useCache((n) => ({ token: `t${n}`, expiresIn }));
    await attempt();
    world.now = validMs - 1;
    if (validMs > 0) await attempt();
    world.now = validMs;
    await attempt();
    expect(world.sent.at(-1)).toBe('t2');
    expect(world.requests).toBe(2);
  });

  it('makes one request at a time for an endpoint, and one for each endpoint and client', async () => {
    const { world, attempt } = useCache();
    await Promise.all(Array.from({ length: 50 }, () => attempt()));
    expect(world.requests).toBe(1);
    await attempt(undefined, 2);
    await attempt(undefined, 1, { ...CLIENT, client_secret: 'changed' });
    expect(world.sent.slice(-2)).toEqual(['t2', 't3']);
  });

  it('repeats an attempt once after an answer 401, with a new token', async () => {
    const { world, attempt } = useCache();
    expect((await attempt((token) => (token === 't1' ? 401 : 204))).error).toBeNull();
    expect(world.sent).toEqual(['t1', 't2']);
    expect((await attempt(() => 401)).answer?.statusCode).toBe(401);
    expect(world.sent).toEqual(['t1', 't2', 't2', 't3']);
    await attempt(() => 500);
    expect(world.sent.slice(4)).toEqual(['t3']);
  });

  it('does not repeat an attempt when the token endpoint returns the same token again', async () => {
    const same = useCache(() => ({ token: 'same', expiresIn: null }));
    expect((await same.attempt(() => 401)).answer?.statusCode).toBe(401);
    expect(same.world.sent).toEqual(['same']);
  });

  it('does not repeat an attempt that took longer than 3 seconds', async () => {
    const { world, attempt } = useCache();
    const late = (): number => {
      world.now += 3_001;
      return 401;
    };
    await attempt(late);
    expect(world.sent).toEqual(['t1']);
    await attempt();
    expect(world.sent).toEqual(['t1', 't2']);
  });

  it('sends nothing without a token, and repeats a failed request after 5 seconds', async () => {
    const { world, attempt } = useCache((n) => (n < 3 ? REFUSED : { token: 'good', expiresIn: null }));
    for (const now of [0, 4_999, 5_000, 9_999]) {
      world.now = now;
      expect(await attempt()).toMatchObject({ error: 'token_refused', answer: null, isOwnError: false });
    }
    expect(world).toMatchObject({ requests: 2, sent: [] });
    world.now = 10_000;
    expect((await attempt()).error).toBeNull();
  });
});
