/**
 * Returns the origin of a URL (scheme, host and port). Subscriptions with the same origin share concurrency slots. The
 * origin is empty for a subscription without a destination.
 */
export const originOf = (url: string | null): string => (url === null ? '' : new URL(url).origin);
