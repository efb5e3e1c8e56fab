import { isDeepStrictEqual } from 'node:util';
import { type Transaction } from '@ats/postgres';
import { notificationEndpoints } from '../../objects/notification-endpoint.model.js';
import { ValidationError } from '../../vocabulary/validation-error.js';
import { type SecretBox } from '../../writing/secret-box.js';
import { endpointSecret, type SecretOptions } from './endpoint-secret.js';
import { lockEndpointRow } from './endpoints.js';

/**
 * Maps the names of headers, in lower case, to the values that a client has set for the messages of an endpoint. The
 * values can be secrets.
 */
export type CustomHeaders = Readonly<Record<string, string>>;

/** The purpose of the key that encrypts custom headers. The key is derived from `SECRET_KEY`. */
export const CUSTOM_HEADERS_PURPOSE = 'notification-headers';

const customHeaders = endpointSecret<CustomHeaders>('sealed_headers', CUSTOM_HEADERS_PURPOSE);

export const CUSTOM_HEADERS_COLUMN = customHeaders.column;

/**
 * Decrypts the custom headers of an endpoint.
 * @param sealed  null for an endpoint without custom headers
 * @throws {SecretBoxError} when they were encrypted with another `SECRET_KEY`
 */
export const openCustomHeaders = (...sealed: Parameters<typeof customHeaders.open>): CustomHeaders =>
  customHeaders.open(...sealed) ?? {};

/**
 * Reads the custom headers of an endpoint.
 * @returns an empty object when there is no such endpoint
 * @throws {SecretBoxError} when they were encrypted with another `SECRET_KEY`
 */
export const readCustomHeaders = async (
  transaction: Transaction,
  endpointId: number,
  secretBox: SecretBox,
): Promise<CustomHeaders> => (await customHeaders.read(transaction, endpointId, secretBox)) ?? {};

/**
 * Replaces the custom headers of an endpoint. The first header makes the endpoint a shared endpoint for good: the
 * signing keys of its subscription move to the endpoint, see `shareEndpoint`.
 * @param wanted  maps the names of headers, in lower case, to values; null keeps the present value
 * @throws {ValidationError} `missing` for a header that is null and has no present value
 * @throws {NotFoundError} when there is no such endpoint
 */
export async function replaceCustomHeaders(
  transaction: Transaction,
  endpointId: number,
  wanted: Readonly<Record<string, string | null>>,
  options: SecretOptions,
): Promise<void> {
  await lockEndpointRow(transaction, endpointId);
  const present = await readCustomHeaders(transaction, endpointId, options.ofSecret);
  const kept = new Map(options.keepsSecret ? Object.entries(present) : []);
  const headers: Record<string, string> = {};
  const missing: string[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    const known = value ?? kept.get(name);
    if (known === undefined) missing.push(name);
    else headers[name] = known;
  }
  if (missing.length > 0) {
    const violations = missing.map((name) => ({ path: pointerOf(name), code: 'missing' }) as const);
    throw new ValidationError(notificationEndpoints.name, violations);
  }
  if (isDeepStrictEqual(headers, present)) return;
  const isEmpty = Object.keys(headers).length === 0;
  await customHeaders.store(transaction, endpointId, isEmpty ? null : headers, options);
}

const pointerOf = (name: string): string => `/custom_headers/${name.replaceAll('~', '~0')}`;
