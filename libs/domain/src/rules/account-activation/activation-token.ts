import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Creates a token of 32 random bytes. Only the recipient of the e-mail knows it. */
export const createActivationToken = (): string => randomBytes(32).toString('base64url');

/** True when a text has the form of a token: 43 base64url characters. */
export const isActivationToken = (text: string): boolean => TOKEN.test(text);

/**
 * Returns the SHA-256 digest under which a token is stored and looked up. The time of a look-up depends on the digest
 * only, so it reveals nothing about other tokens.
 */
export const activationDigest = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();
