// @group long: starts Chromium, and installs it when it is missing
import { freePort } from '@ats/domain/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { App } from './support/app.js';
import { ConsolePage } from './support/console-page.js';
import { SINGLE, Service } from './support/service.js';

jest.setTimeout(300_000);

let service: Service;
let api: string;
let server: App;
let origin: string;

const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  server.configure(settings);
  await server.start('live');
};

beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = new App({
    script: 'apps/console/dist/server/main.js',
    environment: { CONSOLE_PORT: String(port) },
    url: origin,
  });
  service = await Service.start({ CORS_ORIGINS: origin }, SINGLE);
  ({ origin: api } = new URL(service.client.baseUrl));
});
afterAll(() => service.stop());

test('the container serves the same page and policy as an API of the same origin', async () => {
  await start({});
  for (const path of ['/console', '/console/', '/console/webhooks/endpoints/1']) {
    const [own, other] = await Promise.all([origin, api].map((base) => fetch(base + path)));
    const seen = async (answer: Response | undefined) => [
      answer?.status,
      ...['content-security-policy', 'content-type', 'cache-control', 'referrer-policy', 'x-content-type-options'].map(
        (name) => answer?.headers.get(name),
      ),
      await answer?.text(),
    ];
    expect(await seen(own)).toEqual(await seen(other));
  }
  for (const path of [
    '/console/assets/none.js',
    '/console/../package.json',
    '/api/v1/candidates',
    '/console/%2e%2e/x.js',
  ])
    expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
  expect((await fetch(`${origin}/console/`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(origin, { redirect: 'manual' })).headers.get('location')).toBe('/console/');
  expect(await server.end('SIGTERM')).toBe(0);
});

test('with an API of another origin, the console signs in and works under its policy', async () => {
  await start({ CONSOLE_API_URL: api });
  const { headers } = await fetch(`${origin}/console/`);
  expect(headers.get('content-security-policy')).toContain(`connect-src ${api};`);
  const web = await ConsolePage.start(origin, { allowed: [api] });
  try {
    await web.signIn(service.client.token);
    await web.open('webhooks/endpoints');
    await web.page.locator('.empty').waitFor();
    await web.page.getByRole('button', { name: 'Show the API call' }).first().click();
    expect(await web.page.locator('dialog pre').first().innerText()).toContain(`${api}/api/v1/notification_endpoints`);
    expect([...web.faults, ...web.errors]).toEqual([]);
  } finally {
    await web.stop();
  }
  expect(await server.end('SIGTERM')).toBe(0);
});
