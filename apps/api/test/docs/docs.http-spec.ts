import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../src/create-app.js';
import { type Answer } from '../support/answer.js';
import { Api, BASE_URL } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';

const { api } = useApi();
const BASE_PATH = new URL(BASE_URL).pathname;
let page: Answer;

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  api.request('GET', path, { token: null, headers });

beforeAll(async () => {
  page = await get('/docs');
});

describe('/docs', () => {
  test('needs no credential', () => {
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('A small site for tests');
  });

  test.each(['/docs/', '/docs/index.html', '/docs?version=1.4'])('is the same page as %s', async (path) => {
    expect((await get(path)).text).toBe(page.text);
  });

  test('allows scripts of this service, and inline scripts by their hashes', () => {
    const policy = page.headers['content-security-policy'] ?? '';
    const [, script = ''] = /<script>([^<]*)<\/script>/.exec(page.text) ?? [];
    const digest = createHash('sha256').update(script).digest('base64');
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        `default-src 'none'`,
        `script-src 'self' 'wasm-unsafe-eval' 'sha256-${digest}'`,
        `style-src 'self'`,
        `base-uri 'none'`,
        `frame-ancestors 'none'`,
      ]),
    );
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
  });

  test('links to URLs below the public base URL', async () => {
    const links = [...page.text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
    expect(links).toEqual([
      `${BASE_PATH}/docs/_astro/page.css`,
      `${BASE_PATH}/docs/_astro/page.js`,
      `${BASE_PATH}/docs/guides/webhooks/`,
    ]);
    // The API gets the path without the path of the base URL. This simulates a proxy that removes it.
    for (const link of links) expect([link, (await get(link.slice(BASE_PATH.length))).status]).toEqual([link, 200]);
    expect((await get('/docs/_astro/page.js')).text).toContain(`'${BASE_PATH}/docs/pagefind/'`);
  });

  test('answers 304 to a client that has the page', async () => {
    const { etag, vary } = page.headers;
    expect([etag, vary]).toEqual([
      expect.stringMatching(/^W\/"[\w-]{27}"$/),
      'Api-Version, Accept-Language, Accept-Encoding',
    ]);
    const answer = await get('/docs', { 'if-none-match': String(etag) });
    expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', etag]);
    expect(answer.headers['vary']).toBe(vary);
  });
});

describe('/', () => {
  test('sends browsers to the site', async () => {
    const { status, headers } = await get('/', { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' });
    expect([status, headers['location'], headers['vary']]).toEqual([302, `${BASE_PATH}/docs`, 'Accept']);
  });

  test.each(['*/*', 'application/json'])('is not found for clients that accept %s', async (accept) => {
    expect((await get('/', { accept })).status).toBe(404);
  });
});

describe('a file of the site', () => {
  test.each([
    ['guides/webhooks', 'text/html; charset=utf-8', 'public, no-cache'],
    ['guides/webhooks/', 'text/html; charset=utf-8', 'public, no-cache'],
    ['_astro/page.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['_astro/page.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['pagefind/wasm.en.pagefind', 'application/octet-stream', 'public, no-cache'],
  ])('%s is sent with its media type and its cache lifetime', async (path, type, lifetime) => {
    const { status, headers } = await get(`/docs/${path}`);
    expect([status, headers['content-type'], headers['cache-control'], headers['x-content-type-options']]).toEqual([
      200,
      type,
      lifetime,
      'nosniff',
    ]);
  });

  test.each(['/docs/nowhere', '/docs/../package.json', '/docs/%2e%2e/%2e%2e/use-api.ts', '/docs/guides'])(
    'is never found at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  test('that does not exist gets the error page of the site', async () => {
    const { text, headers } = await get('/docs/nowhere');
    expect([headers['content-type'], text.includes('Not found')]).toEqual(['text/html; charset=utf-8', true]);
  });
});

test('a page of a site that is not built explains how to build it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ats-no-site-'));
  await rm(folder, { recursive: true });
  const without = await Api.start({}, (environment, log) => createApp(environment, log, { siteFolder: folder }));
  try {
    const { status, text, headers } = await without.request('GET', '/docs', { token: null });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      503,
      'text/plain; charset=utf-8',
      'no-store',
    ]);
    expect(text).toContain('npm run build');
  } finally {
    await without.close();
  }
});
