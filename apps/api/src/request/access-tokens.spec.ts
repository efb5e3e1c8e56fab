import { createHmac } from 'node:crypto';
import { KeyRing } from '@ats/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './access-tokens.js';

const ISSUER = 'https://jobs.example.com/recruiting';
const KEYS = { SECRET_KEY: 'the current key of this test' };
const SCOPES = ['vacancies:read', 'applications:create'];
const START = Date.parse('2026-11-23T12:00:00.000Z');

const tokensAt = (now: number, keys: ConstructorParameters<typeof AccessTokens>[0] = KEYS, issuer = ISSUER) =>
  new AccessTokens(keys, issuer, () => now);
const issueWith = async (keys: ConstructorParameters<typeof AccessTokens>[0]): Promise<string> =>
  (await tokensAt(START, keys).issue('Key1', SCOPES, null)).token;

const partsOf = (token: string): readonly [header: string, payload: string, signature: string] => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload, signature];
};
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;

/** The key with which `AccessTokens` signs. Tests use it to sign tokens with other claims. */
const KEY = new KeyRing(KEYS).derive('oauth-access-tokens').current;
const CLAIMS = {
  iss: ISSUER,
  aud: ISSUER,
  sub: 'Key1',
  scope: 'vacancies:read',
  iat: START / 1_000,
  exp: START / 1_000 + 60,
};
const signed = (claims: object, header: object = {}): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: KEY.id, ...header }).sign(KEY.key);

describe('an access token', () => {
  test('names the credential and the scopes, for an hour', async () => {
    const { token, expiresDt } = await tokensAt(START).issue('Key1', SCOPES, null);
    expect(expiresDt).toEqual(new Date(START + ACCESS_TOKEN_SECONDS * 1_000));
    expect(await tokensAt(START).verify(token)).toEqual({ keyId: 'Key1', scopes: SCOPES, expiresDt });
  });

  test('never lives longer than an hour or than its credential', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -10_000, max: 10_000_000 }), fc.nat(999), async (lifetimeMs, ms) => {
        const now = START + ms;
        const until = new Date(now + lifetimeMs);
        const { expiresDt } = await tokensAt(now).issue('Key1', SCOPES, until);
        expect(expiresDt.getTime()).toBeLessThanOrEqual(Math.min(until.getTime(), now + ACCESS_TOKEN_SECONDS * 1_000));
      }),
    );
  });

  test('is refused from its expiry on, also by a process that has verified it before', async () => {
    let now = START;
    const tokens = new AccessTokens(KEYS, ISSUER, () => now);
    const { token, expiresDt } = await tokens.issue('Key1', SCOPES, null);
    now = expiresDt.getTime() - 1;
    expect(await tokens.verify(token)).not.toBeNull();
    now = expiresDt.getTime();
    expect(await tokens.verify(token)).toBeNull();
    expect(await tokensAt(now).verify(token)).toBeNull();
  });

  test('survives a rotation of SECRET_KEY: the current key signs, and both keys verify', async () => {
    const next = { SECRET_KEY: 'the next key of this test' };
    const rotating = { ...next, SECRET_KEY_PREVIOUS: KEYS.SECRET_KEY };
    const prepared = { ...KEYS, SECRET_KEY_PREVIOUS: next.SECRET_KEY };
    for (const [signs, verifies, isAccepted] of [
      [KEYS, rotating, true],
      [rotating, prepared, true],
      [rotating, next, true],
      [KEYS, next, false],
      [rotating, KEYS, false],
      [{ SECRET_KEY: 'an unknown key' }, rotating, false],
    ] as const)
      expect((await tokensAt(START, verifies).verify(await issueWith(signs))) !== null).toBe(isAccepted);
  });

  test('is refused with any changed character', async () => {
    const token = await issueWith(KEYS);
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.=% '), async (index, character) => {
        const changed = token.slice(0, index) + character + token.slice(index + 1);
        // Leaves the last character unchanged. Two of its bits do not belong to the signature, so a changed character
        // may be valid.
        fc.pre(changed !== token && index < token.length - 1);
        expect(await tokensAt(START).verify(changed)).toBeNull();
      }),
    );
  });

  test('is refused without a signature, with another algorithm, and with a key of another purpose', async () => {
    const [header, payload, signature] = partsOf(await issueWith(KEYS));
    const withHeader = (changes: object): string => encode({ ...decode(header), ...changes });
    const sign = (text: string, digest: string, key: Buffer): string =>
      `${text}.${createHmac(digest, key).update(text).digest('base64url')}`;
    const other = new KeyRing(KEYS).derive('notification-signing-keys').current;
    for (const token of [
      `${withHeader({ alg: 'none' })}.${payload}.`,
      `${withHeader({ alg: 'none' })}.${payload}.${signature}`,
      `${withHeader({ alg: 'None' })}.${payload}.${signature}`,
      sign(`${withHeader({ alg: 'HS512' })}.${payload}`, 'sha512', KEY.key),
      sign(`${withHeader({ alg: 'RS256' })}.${payload}`, 'sha256', KEY.key),
      sign(`${header}.${payload}`, 'sha256', other.key),
      sign(`${withHeader({ kid: other.id })}.${payload}`, 'sha256', Buffer.from(KEYS.SECRET_KEY)),
      sign(`${header}.${payload}`, 'sha256', Buffer.alloc(0)),
      sign(`${withHeader({ crit: ['x'], x: 1 })}.${payload}`, 'sha256', KEY.key),
      `${header}.${payload}`,
      `${header}.${payload}.`,
      '..',
      '',
    ])
      expect([token, await tokensAt(START).verify(token)]).toEqual([token, null]);
    expect(await tokensAt(START).verify(sign(`${header}.${payload}`, 'sha256', KEY.key))).not.toBeNull();
  });

  test('is refused without one of its claims, or with a claim of another service', async () => {
    expect(await tokensAt(START).verify(await signed(CLAIMS))).not.toBeNull();
    for (const name of Object.keys(CLAIMS)) {
      const token = await signed(Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name)));
      expect([name, await tokensAt(START).verify(token)]).toEqual([name, null]);
    }
    for (const changes of [
      { iss: 'https://other.example' },
      { aud: 'https://other.example' },
      { exp: '2099' },
      { scope: 1 },
    ])
      expect([changes, await tokensAt(START).verify(await signed({ ...CLAIMS, ...changes }))]).toEqual([changes, null]);
    for (const header of [{ typ: 'JWT' }, { typ: undefined }, { kid: undefined }, { kid: 'x' }])
      expect([header, await tokensAt(START).verify(await signed(CLAIMS, header))]).toEqual([header, null]);
  });

  test('is refused by a service with another base URL', async () => {
    expect(await tokensAt(START, KEYS, 'https://other.example').verify(await issueWith(KEYS))).toBeNull();
  });
});
