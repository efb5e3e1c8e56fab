import { SecretBox } from '@ats/domain';

/**
 * Decrypts each value only once for a chain. The deliveries of a chain share the encrypted values of their leader, and
 * decrypting takes longer than signing. A decrypted value stays in memory only as long as its encrypted value.
 */
export class ChainSecretBox extends SecretBox {
  readonly #opened = new WeakMap<Buffer, { readonly secret: string; readonly context: string }>();

  override open(sealed: Buffer, context: string): string {
    const opened = this.#opened.get(sealed);
    if (opened?.context === context) return opened.secret;
    const secret = super.open(sealed, context);
    this.#opened.set(sealed, { secret, context });
    return secret;
  }
}
