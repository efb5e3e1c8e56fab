import { isDeepStrictEqual } from 'node:util';
import { runStatement, type Transaction } from '@ats/postgres';
import { notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { ValidationError } from '../../vocabulary/validation-error.js';
import { type SealedColumn } from '../../writing/sealed-column.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { shareEndpoint } from './endpoint-keys.js';
import { lockEndpointRow } from './endpoints.js';
import { KEY_TIME } from './signing-keys.js';

/** Headers that a client sets for the messages of an endpoint, by their names in lower case. Values can be secrets. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** The purpose for which the encryption key of custom headers is derived from `SECRET_KEY`. */
export const CUSTOM_HEADERS_PURPOSE = 'notification-headers';

const contextOf = (endpointId: number): string => `endpoint:${endpointId}`;

export const CUSTOM_HEADERS_COLUMN: SealedColumn = {
  table: 'notification_endpoints',
  column: 'sealed_headers',
  purpose: CUSTOM_HEADERS_PURPOSE,
  primaryKey: { id: 'bigint' },
  contextOf: ({ id }) => contextOf(Number(id)),
};

/**
 * Decrypts the custom headers of an endpoint.
 * @param sealed  null for an endpoint without custom headers
 * @throws {SecretBoxError} when they were encrypted with another `SECRET_KEY`
 */
export const openCustomHeaders = (sealed: Buffer | null, endpointId: number, secretBox: SecretBox): CustomHeaders =>
  sealed === null ? {} : (JSON.parse(secretBox.open(sealed, contextOf(endpointId))) as CustomHeaders);

/**
 * Reads the custom headers of an endpoint.
 * @returns an empty object when there is no such endpoint
 * @throws {SecretBoxError} when they were encrypted with another `SECRET_KEY`
 */
export async function readCustomHeaders(
  transaction: Transaction,
  endpointId: number,
  secretBox: SecretBox,
): Promise<CustomHeaders> {
  const [row] = await runStatement<{ sealed: Buffer | null }>(
    transaction,
    'SELECT sealed_headers AS sealed FROM notification_endpoints WHERE id = $1',
    [endpointId],
  );
  return openCustomHeaders(row?.sealed ?? null, endpointId, secretBox);
}

export interface HeaderOptions {
  readonly ofHeaders: SecretBox;
  readonly ofSigningKeys: SecretBox;
  /** False when the messages go to another origin now: a client that cannot read the values must not move them there. */
  readonly keepsValues: boolean;
}

/**
 * Replaces the custom headers of an endpoint. An endpoint that gets headers is shared from now on, because notifiers of
 * the previous release would send its messages without them.
 * @param wanted  the headers by names in lower case; null keeps the present value
 * @throws {ValidationError} `missing` for a header that is null and has no value to keep
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function replaceCustomHeaders(
  transaction: Transaction,
  endpointId: number,
  wanted: Readonly<Record<string, string | null>>,
  { ofHeaders, ofSigningKeys, keepsValues }: HeaderOptions,
): Promise<void> {
  await lockEndpointRow(transaction, endpointId);
  const present = await readCustomHeaders(transaction, endpointId, ofHeaders);
  const kept = new Map(keepsValues ? Object.entries(present) : []);
  const headers = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, value ?? kept.get(name)]));
  const missing = Object.keys(headers).filter((name) => headers[name] === undefined);
  if (missing.length > 0) {
    const violations = missing.map((name) => ({ path: pointerOf(name), code: 'missing' }) as const);
    throw new ValidationError(notificationEndpoints.name, violations);
  }
  if (isDeepStrictEqual(headers, present)) return;
  const isEmpty = Object.keys(headers).length === 0;
  if (!isEmpty) await shareEndpoint(transaction, endpointId, ofSigningKeys);
  await runStatement(
    transaction,
    `UPDATE notification_endpoints SET sealed_headers = $2, updated_dt = ${KEY_TIME} WHERE id = $1`,
    [endpointId, isEmpty ? null : ofHeaders.seal(JSON.stringify(headers), contextOf(endpointId))],
  );
}

const pointerOf = (name: string): string => `/custom_headers/${name.replaceAll('~', '~0')}`;
