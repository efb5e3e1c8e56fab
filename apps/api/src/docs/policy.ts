import { hash } from 'node:crypto';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
const STYLE_ATTRIBUTE = /\sstyle="([^"]*)"/g;

/**
 * Returns the Content-Security-Policy of a page of the site. It allows the scripts and styles of this service, and the
 * inline scripts and styles of this page by their hashes. The search needs `wasm-unsafe-eval`, because it compiles
 * WebAssembly.
 */
export function contentSecurityPolicy(html: string): string {
  const scripts = hashesOf(html, INLINE_SCRIPT);
  const styles = hashesOf(html, STYLE_ATTRIBUTE);
  return [
    `default-src 'none'`,
    `script-src 'self' 'wasm-unsafe-eval' ${scripts.join(' ')}`.trimEnd(),
    `style-src 'self'`,
    ...(styles.length > 0 ? [`style-src-attr 'unsafe-hashes' ${styles.join(' ')}`] : []),
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

const hashesOf = (html: string, pattern: RegExp): readonly string[] => [
  ...new Set([...html.matchAll(pattern)].map(([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`)),
];
