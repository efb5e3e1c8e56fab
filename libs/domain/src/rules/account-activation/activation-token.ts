import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new token with 32 random bytes. Whoever has it proves that the e-mail has reached him or her. */
export const createActivationToken = (): string => randomBytes(32).toString('base64url');

/** Whether a text has the form of a token: 43 base64url characters. */
export const isActivationToken = (text: string): boolean => TOKEN.test(text);

/** SHA-256, the only form in which a token is kept and looked for: how long that takes says nothing of others. */
export const activationDigest = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();
