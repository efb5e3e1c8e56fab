import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type DerivedKey, type DerivedKeys, KeyRing, type KeySettings } from './key-ring.js';

const ALGORITHM = 'aes-256-gcm';
/**
 * The form of a value without a key id: version byte, nonce, ciphertext, tag. Releases without key rotation write and
 * open only this form.
 */
const WITHOUT_KEY_ID = 1;
/** The form of a value with a key id: version byte, key id, nonce, ciphertext, tag. */
const WITH_KEY_ID = 2;
const ID_LENGTH = 8;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** The sealed bytes were changed, belong to another context, or were sealed with an unknown `SECRET_KEY`. */
export class SecretBoxError extends Error {
  constructor() {
    super('a stored secret cannot be opened with this SECRET_KEY');
    this.name = 'SecretBoxError';
  }
}

/**
 * Encrypts short secrets for storage with AES-256-GCM and keys that a {@link KeyRing} derives. `seal` uses the current
 * key. `open` uses the key whose id the sealed value contains, or tries all keys when the value contains no id. A
 * sealed value contains the id of its key only during a key rotation, because releases without key rotation cannot open
 * a value with an id. Upgrades and rollbacks therefore need no pause. Source: NIST SP 800-38D (GCM);
 * docs/reference/operations.md, "Rotating SECRET_KEY".
 */
export class SecretBox {
  readonly #keys: DerivedKeys;
  readonly #isRotating: boolean;
  /** The first bytes of all values that the current key has sealed with a key id. */
  readonly currentPrefix: Buffer;

  /**
   * @param keys  the key ring of the process, or the settings or the single key from which to make it
   * @param purpose  each purpose has keys of its own
   */
  constructor(keys: KeyRing | KeySettings | string, purpose: string) {
    const ring = keys instanceof KeyRing ? keys : new KeyRing(keys);
    this.#keys = ring.derive(purpose);
    this.#isRotating = ring.isRotating;
    this.currentPrefix = Buffer.concat([Buffer.of(WITH_KEY_ID), Buffer.from(this.#keys.current.id, 'hex')]);
  }

  /**
   * @param context  names the row of the secret, such as `subscription:7`; sealed bytes that are copied to another row
   *   cannot be opened
   */
  seal(secret: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_LENGTH);
    const cipher = createCipheriv(ALGORITHM, this.#keys.current.key, nonce).setAAD(Buffer.from(context, 'utf8'));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const prefix = this.#isRotating ? this.currentPrefix : Buffer.of(WITHOUT_KEY_ID);
    return Buffer.concat([prefix, nonce, ciphertext, cipher.getAuthTag()]);
  }

  /** @throws {SecretBoxError} */
  open(sealed: Buffer, context: string): string {
    for (const { key } of this.#candidates(sealed)) {
      const secret = decrypt(key, sealed.subarray(prefixLength(sealed)), context);
      if (secret !== undefined) return secret;
    }
    throw new SecretBoxError();
  }

  /**
   * Seals a value again with the current key.
   * @returns null when the value is sealed with the current key and needs no change
   * @throws {SecretBoxError}
   */
  reseal(sealed: Buffer, context: string): Buffer | null {
    const secret = this.open(sealed, context);
    const isCurrent = this.#isRotating
      ? sealed.subarray(0, this.currentPrefix.length).equals(this.currentPrefix)
      : true;
    return isCurrent ? null : this.seal(secret, context);
  }

  /** Returns the keys that may open the value: the key that it names, or all keys when it names none. */
  #candidates(sealed: Buffer): readonly DerivedKey[] {
    if (sealed[0] === WITHOUT_KEY_ID) return this.#keys.all;
    if (sealed[0] !== WITH_KEY_ID) return [];
    const id = sealed.subarray(1, 1 + ID_LENGTH).toString('hex');
    return this.#keys.all.filter((key) => key.id === id);
  }
}

const prefixLength = (sealed: Buffer): number => (sealed[0] === WITH_KEY_ID ? 1 + ID_LENGTH : 1);

/** @param sealed  nonce, ciphertext and tag */
function decrypt(key: Buffer, sealed: Buffer, context: string): string | undefined {
  if (sealed.length < NONCE_LENGTH + TAG_LENGTH) return undefined;
  const nonce = sealed.subarray(0, NONCE_LENGTH);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_LENGTH });
  decipher.setAAD(Buffer.from(context, 'utf8')).setAuthTag(sealed.subarray(-TAG_LENGTH));
  try {
    const secret = Buffer.concat([decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH)), decipher.final()]);
    return secret.toString('utf8');
  } catch {
    return undefined;
  }
}
