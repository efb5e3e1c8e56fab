import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../src/create-app.js';
import { type Answer } from '../support/answer.js';
import { Api, BASE_URL } from '../support/api-harness.js';

const BASE_PATH = new URL(BASE_URL).pathname;
let folder: string;
let api: Api;

const get = (path: string): Promise<Answer> => api.request('GET', path, { token: null });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ats-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/index-1.js'), 'load("/console/assets/")');
  writeFileSync(
    join(folder, 'index.html'),
    '<meta name="console-base" content="/console/" /><script src="/console/assets/index-1.js"></script>',
  );
  api = await Api.start({}, (environment, log) => createApp(environment, log, { consoleFolder: folder }));
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

describe('/console', () => {
  test.each(['/console', '/console/', '/console/webhooks', '/console/webhooks/endpoints/1?tab=log'])(
    '%s answers with the page of the console',
    async (path) => {
      const { status, text, headers } = await get(path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'public, no-cache',
      ]);
      expect(text).toContain(`content="${BASE_PATH}/console/"`);
    },
  );

  test('has a content security policy that allows no inline code and no other origin', async () => {
    const policy = (await get('/console')).headers['content-security-policy'] ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([`default-src 'none'`, `script-src 'self'`, `style-src 'self'`, `connect-src 'self'`]),
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test('has files that are kept for a year, with the path of the public base URL', async () => {
    const { text, headers } = await get('/console/assets/index-1.js');
    expect([text, headers['cache-control']]).toEqual([
      `load("${BASE_PATH}/console/assets/")`,
      'public, max-age=31536000, immutable',
    ]);
  });

  test.each(['/console/assets/old.js', '/console/../package.json', '/console/%2e%2e/assets/x.js'])(
    'answers 404 at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
