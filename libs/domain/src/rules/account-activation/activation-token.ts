import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Creates a token of 32 random bytes. It proves that the e-mail reached its recipient. */
export const createActivationToken = (): string => randomBytes(32).toString('base64url');

/** True when a text has the form of a token: 43 base64url characters. */
export const isActivationToken = (text: string): boolean => TOKEN.test(text);

/**
 * The SHA-256 digest under which a token is stored and found. Because digests are compared, the time of a look-up
 * reveals nothing about other tokens.
 */
export const activationDigest = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();
