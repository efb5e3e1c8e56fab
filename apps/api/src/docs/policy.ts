/** What every page allows: `default-src` is none, so what a page may ask for stands in its policy. */
const policy = (...directives: readonly string[]): string =>
  [
    `default-src 'none'`,
    ...directives,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/** Of a page that only is read. */
export const readingPolicy = (nonce: string): string => policy(`style-src 'nonce-${nonce}'`);

/** Of the reference. The worker, made from the bundle, is Redoc's search. */
export const referencePolicy = (nonce: string): string =>
  policy(
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${EARLY_STYLES.join(' ')}`,
    `connect-src 'self'`,
    `worker-src blob:`,
  );

/** What Redoc 2.5.4 styles before it is told the nonce, as hashes: nothing yet, and its scroll bars. The console names them when they change. */
const EARLY_STYLES = [
  `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`,
  `'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='`,
];
