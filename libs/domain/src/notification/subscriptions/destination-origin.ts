/**
 * Returns the origin (scheme, host and port) whose subscriptions share concurrency slots. It is empty for subscriptions
 * without a destination.
 */
export const originOf = (url: string | null): string => (url === null ? '' : new URL(url).origin);
