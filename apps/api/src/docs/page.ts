/**
 * The reference page. It asks for three things, all of them below its own address: itself, the bundle of Redoc and
 * /openapi.json. Addresses are relative, so that it works under a `PUBLIC_BASE_URL` with a path.
 * @param nonce  of the Content-Security-Policy of the same answer: nothing without it is run, or styles anything
 */
export const referencePage = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Applicant tracking service: reference</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main id="reference"></main>
<noscript><p>This page needs JavaScript. <a href="openapi.json">openapi.json</a> holds the same, for programs.</p></noscript>
<script nonce="${nonce}" src="docs/redoc.standalone.js"></script>
<script nonce="${nonce}">Redoc.init('openapi.json', ${JSON.stringify({ ...OPTIONS, nonce })}, document.getElementById('reference'))</script>
</body>
</html>
`;

/** `default-src` is none: what the page may ask for stands here. The worker, made from the bundle, is Redoc's search. */
export const contentSecurityPolicy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${EARLY_STYLES.join(' ')}`,
    `img-src data:`,
    `connect-src 'self'`,
    `worker-src blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/** What Redoc 2.5.4 styles before it is told the nonce, as hashes: nothing yet, and its scroll bars. The console names them when they change. */
const EARLY_STYLES = [`'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`, `'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='`];

/** Fonts are those of the reader's system. */
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** See https://redocly.com/docs/redoc/v2.x/config. */
const OPTIONS = {
  sortRequiredPropsFirst: true,
  jsonSampleExpandLevel: 2,
  schemaExpansionLevel: 1,
  hideSchemaPattern: false,
  menuToggle: true,
  theme: {
    typography: {
      fontFamily: FONT,
      fontSize: '15px',
      headings: { fontFamily: FONT, fontWeight: '600' },
      code: { fontFamily: MONOSPACE, fontSize: '13px', color: '#1f2937' },
    },
    colors: { primary: { main: '#1d4ed8' } },
    sidebar: { width: '280px' },
    rightPanel: { backgroundColor: '#1f2937' },
  },
};

const STYLE = `body { margin: 0 } noscript p { margin: 2rem; font-family: sans-serif }`;
