import { message } from '@ats/message';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { allNames, MAX_CURSOR_LENGTH, type ParameterNames } from './limits.js';
import { invalid, type ParameterViolation, quote } from './parameter-violation.js';

/** A position in an ordered collection: directly after the item with the given sort keys. */
export interface Cursor {
  /**
   * The values of the sort keys as texts. Null stands for a missing value. The id comes last, because it decides
   * between equal values.
   */
  readonly keys: readonly (string | null)[];
}

/** An opened cursor, or the violation of its text. Only the latter has the property `violation`. */
export type OpenedCursor = (Cursor & { readonly violation?: undefined }) | { readonly violation: ParameterViolation };

const ALGORITHM = 'aes-256-gcm';
const KEY_LENGTH = 32;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
/**
 * The default purpose. Increase its number when the form of the sealed text changes, so that cursors of the old form do
 * not open.
 */
const PURPOSE = 'pagination/cursor/1';

/** Options of `CursorCodec`. */
export interface CursorOptions {
  /** A second key for the rotation of the secret key. It only opens cursors. */
  readonly otherKey?: string | undefined;
  /**
   * Separates the keys of cursors from other keys that the host derives from the same secret key. When a host changes
   * the text, its earlier cursors become invalid.
   */
  readonly purpose?: string;
  /** The names of the parameters, which violations mention. */
  readonly names?: ParameterNames;
}

/**
 * Makes cursors that clients can neither read nor forge, and opens them. They are encrypted, because URLs get into logs
 * and a sort key may be a person's name. A cursor opens only for the query for which it was made. The same position of
 * the same query always has the same cursor.
 *
 * Form: base64url of a nonce (12 bytes), the ciphertext and a tag (16 bytes), with AES-256-GCM and keys from
 * HKDF-SHA-256. The nonce is an HMAC of the sealed values. So different values never share a nonce, and no random
 * numbers are needed. Source: docs/reference/paging.md.
 */
export class CursorCodec {
  readonly #current: CursorKeys;
  readonly #all: readonly CursorKeys[];
  readonly #names: Required<ParameterNames>;

  /** @param secretKey  a secret of the service. Cursors that were made with another key do not open. */
  constructor(secretKey: string, { otherKey, purpose = PURPOSE, names }: CursorOptions = {}) {
    this.#current = deriveKeys(secretKey, purpose);
    this.#all = otherKey === undefined ? [this.#current] : [this.#current, deriveKeys(otherKey, purpose)];
    this.#names = allNames(names);
  }

  /**
   * Makes the cursor of a position.
   * @param fingerprint  identifies the query: the collection and everything that selects and orders its items
   * @returns undefined when the cursor would be longer than 2048 characters. The `next` link then needs a page
   *   number.
   */
  seal({ keys }: Cursor, fingerprint: string): string | undefined {
    const nonce = createHmac('sha256', this.#current.nonceKey)
      .update(JSON.stringify([fingerprint, keys]))
      .digest()
      .subarray(0, NONCE_LENGTH);
    const cipher = createCipheriv(ALGORITHM, this.#current.key, nonce, { authTagLength: TAG_LENGTH }).setAAD(
      Buffer.from(fingerprint, 'utf8'),
    );
    const ciphertext = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()]);
    const text = Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url');
    return text.length <= MAX_CURSOR_LENGTH ? text : undefined;
  }

  /**
   * Opens the cursor of a request.
   * @param text  the value of the `after` parameter
   * @param fingerprint  identifies the query of the request, as in `seal`
   * @returns the cursor, or always the same violation for any other text. Never throws.
   */
  open(text: string, fingerprint: string): OpenedCursor {
    const keys = this.#decrypt(text, fingerprint);
    if (keys !== undefined) return { keys };
    const info = message`the cursor ${quote(text)} belongs to another query or is incomplete: follow the links of the answers unchanged, or send ${this.#names.page} without a cursor`;
    return { violation: invalid(this.#names.after, info) };
  }

  #decrypt(text: string, fingerprint: string): Cursor['keys'] | undefined {
    const sealed = text.length <= MAX_CURSOR_LENGTH ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
    // `Buffer.from` silently skips characters that are not base64url. A text with such characters is refused, because
    // it differs from its bytes encoded again.
    if (sealed.length < NONCE_LENGTH + TAG_LENGTH || sealed.toString('base64url') !== text) return undefined;
    for (const { key } of this.#all) {
      const keys = decrypt(sealed, key, fingerprint);
      if (keys !== undefined) return keys;
    }
    return undefined;
  }
}

interface CursorKeys {
  readonly key: KeyObject;
  readonly nonceKey: KeyObject;
}

function deriveKeys(secretKey: string, purpose: string): CursorKeys {
  const keys = Buffer.from(
    hkdfSync('sha256', Buffer.from(secretKey, 'utf8'), Buffer.alloc(0), purpose, 2 * KEY_LENGTH),
  );
  return {
    key: createSecretKey(keys.subarray(0, KEY_LENGTH)),
    nonceKey: createSecretKey(keys.subarray(KEY_LENGTH)),
  };
}

function decrypt(sealed: Buffer, key: KeyObject, fingerprint: string): Cursor['keys'] | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_LENGTH), { authTagLength: TAG_LENGTH });
  decipher.setAAD(Buffer.from(fingerprint, 'utf8')).setAuthTag(sealed.subarray(-TAG_LENGTH));
  try {
    const json = Buffer.concat([decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH)), decipher.final()]);
    return JSON.parse(json.toString('utf8')) as Cursor['keys'];
  } catch {
    return undefined;
  }
}
