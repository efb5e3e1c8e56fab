/** Builds a Content-Security-Policy. `default-src` is `none`, so each page must list the sources that it loads. */
const policy = (...directives: readonly string[]): string =>
  [
    `default-src 'none'`,
    ...directives,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/** The Content-Security-Policy of a page without scripts. */
export const readingPolicy = (nonce: string): string => policy(`style-src 'nonce-${nonce}'`);

/** The Content-Security-Policy of the reference. It allows `blob:` for the worker that runs Redoc's search. */
export const referencePolicy = (nonce: string): string =>
  policy(
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${EARLY_STYLES.join(' ')}`,
    `connect-src 'self'`,
    `worker-src blob:`,
  );

/**
 * Hashes of the styles that Redoc 2.5.4 sets before it has the nonce. After an upgrade of Redoc, copy the new hashes
 * from the browser's console, which prints them for blocked styles.
 */
const EARLY_STYLES = [
  `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`,
  `'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='`,
];
