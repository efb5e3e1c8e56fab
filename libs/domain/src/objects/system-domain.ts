import { type AttributeOptions } from '../vocabulary/attribute-options.js';
import { filledText } from '../vocabulary/value-schema.js';

/**
 * The stored value of a domain that was never set. The first migration inserts this value. Clients then see the host of
 * `PUBLIC_BASE_URL` as the domain.
 */
export const UNSET_DOMAIN = 'localhost.localdomain';

/** Matches the host of a URL: an IPv6 address in brackets, or a name. JavaScript and PostgreSQL both use it. */
const HOST = String.raw`^[a-z]+://(\[[^]]*]|[^/:]*)`;

/**
 * Returns the default value of `domain`.
 * @param baseUrl  `PUBLIC_BASE_URL`, which has no user and no password
 */
export const defaultDomain = (baseUrl: string): string => new RegExp(HOST, 'i').exec(baseUrl)?.[1]?.toLowerCase() ?? '';

/** The schema of a domain, as far as it is the same for all installations. */
export const domainSchema = filledText(255);

/**
 * True for a fully qualified domain name. It has at least two labels. The last label begins with a letter, so an IP
 * address is not a domain name.
 */
export const isFullyQualified = (domain: string): boolean =>
  domain.length <= 253 && /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(domain);

/** Computes the domain from the stored value. */
export const domainValue: NonNullable<AttributeOptions['computed']> = {
  sql: (alias, { baseUrl }) =>
    `CASE ${alias}.domain WHEN '${UNSET_DOMAIN}' THEN lower(substring(${baseUrl} FROM '(?i)${HOST}')) ` +
    `ELSE ${alias}.domain END`,
  memory: ({ domain }, { baseUrl }) => (domain === UNSET_DOMAIN ? defaultDomain(baseUrl) : (domain ?? null)),
};
