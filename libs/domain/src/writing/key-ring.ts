import { hkdfSync } from 'node:crypto';

const ID_LENGTH = 8;
const ID_PURPOSE = 'ats key id';

/** The variables of a process that hold its keys. */
export interface KeySettings {
  readonly SECRET_KEY: string;
  /** A second key that opens and verifies, but never seals or signs: the former key, or the next key. */
  readonly SECRET_KEY_PREVIOUS?: string | undefined;
}

/** A key for one purpose. */
export interface DerivedKey {
  /**
   * Identifies the key of the ring from which this key is derived: 16 hexadecimal digits that do not reveal the key.
   */
  readonly id: string;
  readonly key: Buffer;
}

/** The keys of a ring for one purpose. */
export interface DerivedKeys {
  /** The key that seals and signs. */
  readonly current: DerivedKey;
  /** The keys that open and verify. The current key comes first. */
  readonly all: readonly DerivedKey[];
}

/**
 * The keys of an installation during a rotation: `SECRET_KEY` seals and signs, and both keys open and verify.
 * Source: docs/reference/operations.md, "Rotating SECRET_KEY"; RFC 5869 (HKDF).
 */
export class KeyRing {
  readonly #secrets: readonly [string, ...string[]];

  /** @param settings  the environment of the process, or the text of its only key */
  constructor(settings: KeySettings | string) {
    const { SECRET_KEY, SECRET_KEY_PREVIOUS } = typeof settings === 'string' ? { SECRET_KEY: settings } : settings;
    this.#secrets = SECRET_KEY_PREVIOUS ? [SECRET_KEY, SECRET_KEY_PREVIOUS] : [SECRET_KEY];
  }

  /** True while the ring has a second key: a rotation is in progress. */
  get isRotating(): boolean {
    return this.#secrets.length > 1;
  }

  /**
   * Derives a key from each key of the ring with HKDF-SHA-256.
   * @param purpose  each purpose has keys of its own, such as `notification-signing-keys`
   * @param length   bytes of each derived key
   */
  derive(purpose: string, length = 32): DerivedKeys {
    const [first, ...others] = this.#secrets;
    const current = deriveKey(first, purpose, length);
    return { current, all: [current, ...others.map((secret) => deriveKey(secret, purpose, length))] };
  }
}

const deriveKey = (secret: string, purpose: string, length: number): DerivedKey => ({
  id: expand(secret, ID_PURPOSE, ID_LENGTH).toString('hex'),
  key: expand(secret, `ats/${purpose}`, length),
});

const expand = (secret: string, info: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'utf8'), Buffer.alloc(0), info, length));
