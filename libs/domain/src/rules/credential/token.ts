import { hash, randomBytes, randomInt } from 'node:crypto';

const TOKEN = /^ats_([A-Za-z0-9]{8,32})_([A-Za-z0-9_-]{43})$/;
const KEY_ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_ID_LENGTH = 16;

export interface ParsedToken {
  /** The public part of the token. It identifies the credential and may be logged. */
  readonly keyId: string;
  /** SHA-256 of the whole token. The database stores the token only in this form. */
  readonly digest: Buffer;
}

/**
 * Reads an API token of the form `ats_<key id>_<43 base64url characters>`.
 * @returns null when the text has another form
 * Source: docs/reference/authentication.md, "Tokens".
 */
export function parseToken(text: string): ParsedToken | null {
  const match = TOKEN.exec(text);
  return match?.[1] ? { keyId: match[1], digest: digestOf(text) } : null;
}

/** Creates a token with 32 random bytes. The token is shown once and never stored. */
export function createToken(): string {
  const keyId = Array.from({ length: KEY_ID_LENGTH }, () => KEY_ID_ALPHABET[randomInt(KEY_ID_ALPHABET.length)]).join(
    '',
  );
  return `ats_${keyId}_${randomBytes(32).toString('base64url')}`;
}

/** The digest to compare with when no credential has the key id. An unknown token then takes as long as a wrong one. */
export const NO_DIGEST: Buffer = digestOf('no such credential');

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
