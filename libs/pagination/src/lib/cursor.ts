import { message } from '@ats/message';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { MAX_CURSOR_LENGTH } from './limits.js';
import { invalid, type ParameterFault, quote } from './parameter-fault.js';

/** A place in an ordered collection: behind the item that has these sort keys. */
export interface Cursor {
  /** The values of the sort keys as text, null for one that is missing; the id, which decides in the end, comes last. */
  readonly keys: readonly (string | null)[];
}

/** An opened cursor, or what is wrong with the text; tell them apart by `fault`. */
export type OpenedCursor = (Cursor & { readonly fault?: undefined }) | { readonly fault: ParameterFault };

const ALGORITHM = 'aes-256-gcm';
const KEY_LENGTH = 32;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
/** Another form of the sealed text takes another number: then the cursors of the old form do not open. */
const PURPOSE = 'ats/pagination/cursor/1';

/**
 * Makes cursors that can be neither read nor forged, and opens them: an address gets into logs, and a sort key may be
 * somebody's name. A cursor opens for the query it was made for alone, and is the same each time it is made.
 *
 * Form: base64url of 12 bytes of nonce, ciphertext and 16 bytes of tag (AES-256-GCM, keys from HKDF-SHA-256). The nonce
 * is an HMAC of what is sealed, so that no two texts ever share one, without dice; equal cursors show that they are equal,
 * which their addresses show too.
 * Source: CONTRACT.md 4.
 */
export class CursorCodec {
  readonly #key: KeyObject;
  readonly #nonceKey: KeyObject;

  /** @param secretKey the service's `SECRET_KEY`; cursors made with another one do not open */
  constructor(secretKey: string) {
    const keys = Buffer.from(
      hkdfSync('sha256', Buffer.from(secretKey, 'utf8'), Buffer.alloc(0), PURPOSE, 2 * KEY_LENGTH),
    );
    this.#key = createSecretKey(keys.subarray(0, KEY_LENGTH));
    this.#nonceKey = createSecretKey(keys.subarray(KEY_LENGTH));
  }

  /**
   * @param fingerprint what the cursor belongs to: the collection and all that selects and orders its items
   * @returns undefined when the keys are so long that the cursor would not fit into an address (2048 characters): then
   *   the link does without
   */
  seal({ keys }: Cursor, fingerprint: string): string | undefined {
    const nonce = createHmac('sha256', this.#nonceKey)
      .update(JSON.stringify([fingerprint, keys]))
      .digest()
      .subarray(0, NONCE_LENGTH);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_LENGTH }).setAAD(
      Buffer.from(fingerprint, 'utf8'),
    );
    const ciphertext = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()]);
    const text = Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url');
    return text.length <= MAX_CURSOR_LENGTH ? text : undefined;
  }

  /**
   * @param text        `after` as it came
   * @param fingerprint that of the request
   * @returns the cursor, or the same fault for every text that is not one of this query. It does not throw.
   */
  open(text: string, fingerprint: string): OpenedCursor {
    const keys = this.#decrypt(text, fingerprint);
    if (keys !== undefined) return { keys };
    const info = message`expected the cursor of a link to this query, found ${quote(text)}: it belongs to another query, or was cut; follow the links as they are, or leave it out and give ${'page'}`;
    return { fault: invalid('after', info) };
  }

  #decrypt(text: string, fingerprint: string): Cursor['keys'] | undefined {
    const sealed = text.length <= MAX_CURSOR_LENGTH ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
    // `Buffer.from` passes over what is no base64url.
    if (sealed.length < NONCE_LENGTH + TAG_LENGTH || sealed.toString('base64url') !== text) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, sealed.subarray(0, NONCE_LENGTH), {
      authTagLength: TAG_LENGTH,
    });
    decipher.setAAD(Buffer.from(fingerprint, 'utf8')).setAuthTag(sealed.subarray(-TAG_LENGTH));
    try {
      const json = Buffer.concat([decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH)), decipher.final()]);
      return JSON.parse(json.toString('utf8')) as Cursor['keys'];
    } catch {
      return undefined;
    }
  }
}
