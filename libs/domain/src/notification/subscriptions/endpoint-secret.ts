import { runStatement, type Transaction } from '@ats/postgres';
import { type SealedColumn } from '../../writing/sealed-column.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { shareEndpoint } from './endpoint-keys.js';
import { KEY_TIME } from './signing-keys.js';

/** Options for a change of a secret. */
export interface SecretOptions {
  /** Encrypts and decrypts the secret. */
  readonly ofSecret: SecretBox;
  readonly ofSigningKeys: SecretBox;
  /**
   * True when the body may omit the secret, so that the stored secret stays. False when the write changes the URL of
   * the messages: otherwise a client that cannot read the secret could have it sent to a URL of its choice.
   */
  readonly keepsSecret: boolean;
}

/**
 * One kind of secret that an endpoint can have. A column stores it as encrypted JSON; null means that the endpoint has
 * no such secret.
 */
export interface EndpointSecret<Value extends object> {
  readonly column: SealedColumn;
  /**
   * Decrypts the secret.
   * @throws {SecretBoxError} when the secret was encrypted with another `SECRET_KEY`
   */
  readonly open: (sealed: Buffer | null, endpointId: number, box: SecretBox) => Value | null;
  /**
   * Reads and decrypts the secret of an endpoint.
   * @returns null when the endpoint has no secret, or does not exist
   * @throws {SecretBoxError} when the secret was encrypted with another `SECRET_KEY`
   */
  readonly read: (transaction: Transaction, endpointId: number, box: SecretBox) => Promise<Value | null>;
  /**
   * Stores the secret. An endpoint with a secret becomes a shared endpoint for good, because notifiers of the previous
   * release would send the messages of an own endpoint without the secret.
   */
  readonly store: (
    transaction: Transaction,
    endpointId: number,
    value: Value | null,
    options: Pick<SecretOptions, 'ofSecret' | 'ofSigningKeys'>,
  ) => Promise<void>;
}

const contextOf = (endpointId: number): string => `endpoint:${endpointId}`;

/**
 * Declares a kind of secret that `column` stores.
 * @param purpose  the purpose of the key that encrypts the secret; the key is derived from `SECRET_KEY`
 */
export function endpointSecret<Value extends object>(column: string, purpose: string): EndpointSecret<Value> {
  const open = (sealed: Buffer | null, endpointId: number, box: SecretBox): Value | null =>
    sealed && (JSON.parse(box.open(sealed, contextOf(endpointId))) as Value);
  return {
    column: {
      table: 'notification_endpoints',
      column,
      purpose,
      primaryKey: { id: 'bigint' },
      contextOf: ({ id }) => contextOf(Number(id)),
    },
    open,
    async read(transaction, endpointId, box) {
      const [row] = await runStatement<{ sealed: Buffer | null }>(
        transaction,
        `SELECT ${column} AS sealed FROM notification_endpoints WHERE id = $1`,
        [endpointId],
      );
      return open(row?.sealed ?? null, endpointId, box);
    },
    async store(transaction, endpointId, value, { ofSecret, ofSigningKeys }) {
      if (value) await shareEndpoint(transaction, endpointId, ofSigningKeys);
      await runStatement(
        transaction,
        `UPDATE notification_endpoints SET ${column} = $2, updated_dt = ${KEY_TIME} WHERE id = $1`,
        [endpointId, value && ofSecret.seal(JSON.stringify(value), contextOf(endpointId))],
      );
    },
  };
}
