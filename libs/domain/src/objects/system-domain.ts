import { type AttributeOptions } from '../vocabulary/attribute-options.js';
import { filledText } from '../vocabulary/value-schema.js';

/**
 * The stored value of a system whose domain was never set. Its domain is the host of `PUBLIC_BASE_URL`. The first
 * migration has inserted this value.
 */
export const UNSET_DOMAIN = 'localhost.localdomain';

/** Matches the host of a URL, in JavaScript and in PostgreSQL: an IPv6 address in brackets, or a name. */
const HOST = String.raw`^[a-z]+://(\[[^]]*]|[^/:]*)`;

/** Returns the default of `domain`. @param baseUrl  `PUBLIC_BASE_URL`, which has no user and no password */
export const defaultDomain = (baseUrl: string): string => new RegExp(HOST, 'i').exec(baseUrl)?.[1]?.toLowerCase() ?? '';

/** The check of a domain that does not depend on the installation. */
export const domainSchema = filledText(255);

/** A fully qualified domain name: at least two labels, and the last one begins with a letter, unlike an IP address. */
export const isFullyQualified = (domain: string): boolean =>
  domain.length <= 253 && /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(domain);

/** Reads the domain from the stored value. */
export const domainValue: NonNullable<AttributeOptions['computed']> = {
  sql: (alias, { baseUrl }) =>
    `CASE ${alias}.domain WHEN '${UNSET_DOMAIN}' THEN lower(substring(${baseUrl} FROM '(?i)${HOST}')) ` +
    `ELSE ${alias}.domain END`,
  memory: ({ domain }, { baseUrl }) => (domain === UNSET_DOMAIN ? defaultDomain(baseUrl) : (domain ?? null)),
};
