import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { extname } from 'node:path';
import sirv from 'sirv';

/** The page `index.html`, with which the server answers each address of a view, and the folder with all other files. */
export interface SiteOptions {
  /** The text of `index.html`. */
  readonly page: string;
  /** The folder that `apps/console` builds. */
  readonly folder: string;
  /** The origin of the API. Undefined when the API has the same origin as the console. */
  readonly apiUrl: string | undefined;
}

const PREFIX = '/console';
const A_YEAR = 'public, max-age=31536000, immutable';
const REVALIDATE = 'public, no-cache';
const SAFE = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Returns the Content-Security-Policy. It is the policy of `console-site.ts` of the API; a test compares both. */
const policyFor = (connect: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `connect-src ${connect}`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types lit-html`,
  ].join('; ');

/** Makes a server of the built console at `/console`. */
export function serveConsole({ page, folder, apiUrl }: SiteOptions): Server {
  const files = sirv(folder, {
    etag: true,
    gzip: true,
    setHeaders: (response, path) => {
      response.setHeader('cache-control', path.startsWith('/assets/') ? A_YEAR : REVALIDATE);
      for (const [name, value] of Object.entries(SAFE)) response.setHeader(name, value);
    },
  });
  const html = page.replace('name="console-service" content=""', `name="console-service" content="${apiUrl ?? ''}"`);
  const headers = {
    ...SAFE,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': REVALIDATE,
    'content-security-policy': policyFor(apiUrl ?? `'self'`),
  };
  return createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://console').pathname;
    const send = (status: number, more: OutgoingHttpHeaders, text: string): void =>
      void response.writeHead(status, more).end(request.method === 'HEAD' ? '' : text);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return send(405, { ...SAFE, allow: 'GET, HEAD' }, '');
    if (path === '/health/live' || path === '/health/ready') return send(200, { 'cache-control': 'no-store' }, 'ok\n');
    if (path === '/') return send(302, { location: `${PREFIX}/` }, '');
    if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) return sendMissing(request, response);
    if (extname(path) === '') return send(200, headers, html);
    request.url = path.slice(PREFIX.length);
    files(request, response, () => sendMissing(request, response));
  });
}

const sendMissing = (request: IncomingMessage, response: ServerResponse): void =>
  void response
    .writeHead(404, { ...SAFE, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(request.method === 'HEAD' ? '' : 'There is no such file.\n');
