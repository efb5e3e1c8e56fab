/** The base of every page's policy. `default-src` is `none`, so each page lists what it loads. */
const policy = (...directives: readonly string[]): string =>
  [
    `default-src 'none'`,
    ...directives,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/** The policy of a page without scripts. */
export const readingPolicy = (nonce: string): string => policy(`style-src 'nonce-${nonce}'`);

/** The policy of the reference. Redoc's search runs in a worker made from the bundle. */
export const referencePolicy = (nonce: string): string =>
  policy(
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${EARLY_STYLES.join(' ')}`,
    `connect-src 'self'`,
    `worker-src blob:`,
  );

/** Hashes of the styles that Redoc 2.5.4 sets before it knows the nonce. The browser's console prints new ones. */
const EARLY_STYLES = [
  `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`,
  `'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='`,
];
