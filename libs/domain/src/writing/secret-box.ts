import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** The sealed bytes were changed, belong to another context, or were sealed with another `SECRET_KEY`. */
export class SecretBoxError extends Error {
  constructor() {
    super('a stored secret cannot be opened with this SECRET_KEY');
    this.name = 'SecretBoxError';
  }
}

/**
 * Encrypts short secrets for storage: AES-256-GCM under a key that HKDF-SHA-256 derives from `SECRET_KEY`.
 * Sealed form: version byte, 12-byte nonce, ciphertext, 16-byte tag.
 * Source: NIST SP 800-38D (GCM), RFC 5869 (HKDF).
 */
export class SecretBox {
  readonly #key: Buffer;

  /**
   * @param secretKey  `SECRET_KEY`, a text of at least 32 characters
   * @param purpose    each purpose has a key of its own
   */
  constructor(secretKey: string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', Buffer.from(secretKey, 'utf8'), Buffer.alloc(0), `ats/${purpose}`, 32));
  }

  /**
   * @param context  names the row of the secret, such as `subscription:7`; sealed bytes that are copied to another row
   *   cannot be opened
   */
  seal(secret: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_LENGTH);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(context, 'utf8'));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext, cipher.getAuthTag()]);
  }

  /** @throws {SecretBoxError} */
  open(sealed: Buffer, context: string): string {
    if (sealed.length < 1 + NONCE_LENGTH + TAG_LENGTH || sealed[0] !== VERSION) throw new SecretBoxError();
    const nonce = sealed.subarray(1, 1 + NONCE_LENGTH);
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_LENGTH });
    decipher.setAAD(Buffer.from(context, 'utf8')).setAuthTag(sealed.subarray(-TAG_LENGTH));
    try {
      return Buffer.concat([
        decipher.update(sealed.subarray(1 + NONCE_LENGTH, -TAG_LENGTH)),
        decipher.final(),
      ]).toString('utf8');
    } catch {
      throw new SecretBoxError();
    }
  }
}
