// @group long: starts Chromium, and installs it when it is missing
import { afterAll, beforeAll, describe, expect, it, jest, test } from '@jest/globals';
import { applyTo, type Item, openVacancy } from './support/api-client.js';
import { ConsolePage } from './support/console-page.js';
import { TEXTS } from './support/console-texts.js';
import { Receiver } from './support/receiver.js';
import { SINGLE, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

jest.setTimeout(300_000);

const MAX_FIRST_LOAD = 200_000;
/** A phone is assumed to be four times slower than the machine of the test. */
const SLOWDOWN = 4;
const MAX_CPU_MS = 1_500;

let service: Service;
let receiver: Receiver;
let origin: string;
let token: string;
let vacancy: Item;
let web: ConsolePage;

beforeAll(async () => {
  [service, receiver] = await Promise.all([Service.start({}, SINGLE), Receiver.start()]);
  ({ origin } = new URL(service.client.baseUrl));
  token = service.client.token;
  vacancy = await openVacancy(service.client);
  web = await ConsolePage.start(origin);
});
afterAll(async () => {
  await web.stop();
  await receiver.stop();
  await service.stop();
});

/**
 * The expression that each journey uses. The long word in `mouse` must not make the explanation wider than its dialog.
 */
const EXPRESSIONS = {
  keyboard: 'application.id > 0',
  mouse: `application.id > 0 or application.reference == "${'x'.repeat(150)}"`,
} as const;

test('the first page of the console loads few bytes', async () => {
  await web.signIn(token);
  await web.page.locator('ats-webhook-overview .empty').waitFor();
  const total = [...web.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(MAX_FIRST_LOAD);
  // An address without a view opens the first view, even when the page is loaded from this address.
  await web.open('');
  expect(new URL(web.page.url()).pathname).toBe('/console/webhooks');
  const cpuMs = await web.cpuOf('webhooks');
  // The time is printed but not compared with the limit, because it depends on the machine.
  const share = (cpuMs * SLOWDOWN) / MAX_CPU_MS;
  console.log(
    `first load of the console: ${total} bytes, ${Math.round(cpuMs)} ms of the processor, ${share.toFixed(2)} of the limit`,
  );
});

test('a client signs in with OAuth 2, and sees only what its scopes allow', async () => {
  const { page } = web;
  const credential = await service.client.post<Item & { key_id: string; token: string }>('/credentials', {
    name: 'reader',
    scopes: ['notifications:read'],
  });
  await page.evaluate('sessionStorage.clear()');
  await page.goto(`${origin}/console/webhooks/topics`);
  await page.locator('input[type=checkbox]').check();
  expect(await web.axe()).toEqual([]);
  await page.locator('input[name=keyId]').fill(credential.key_id);
  await page.locator('input[name=token]').fill(credential.token);
  await page.keyboard.press('Enter');
  await page.locator('nav a[aria-current=page]').waitFor();
  await page.locator('main:focus').waitFor();
  expect(await page.locator('nav a[href$="/subscribe"]').count()).toBe(0);
  await web.open('webhooks/subscribe');
  expect(await page.locator('main').textContent()).toContain('notifications:create');
  expect(await web.axe()).toEqual([]);
  await page.evaluate('sessionStorage.clear()');
  await web.signIn(token);
});

const isTooWide = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }): boolean =>
  scrollWidth > clientWidth;

describe.each(['en', 'ar'] as const)('in %s', (language) => {
  test.each(['mouse', 'keyboard'] as const)('an integrator finds and repairs a failure by %s', async (by) => {
    const { page } = web;
    const t = TEXTS[language];
    /** Activates a button by its text. */
    const press = async (name: string): Promise<void> => {
      const button = page.getByRole('button', { name, exact: true }).last();
      await button.waitFor();
      if (by === 'mouse') return button.click();
      await button.focus();
      await page.keyboard.press('Enter');
    };
    /** Follows a link to a view. */
    const follow = async (path: string): Promise<void> => {
      const link = page.locator(`a[href$="/console/${path}"]`).first();
      await link.waitFor();
      if (by === 'mouse') return link.click();
      await link.focus();
      await page.keyboard.press('Enter');
    };
    const type = async (field: string, text: string): Promise<void> => {
      if (by === 'mouse') return page.locator(field).fill(text);
      await page.locator(field).focus();
      await page.keyboard.type(text);
    };
    const openFirstRow = async (status: string): Promise<void> => {
      const row = page.locator(`tr:has([data-status=${status}])`).first();
      await row.waitFor();
      if (by === 'mouse') return row.click();
      await page.locator('tr .open[tabindex="0"]').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
    };

    await page.locator('header select').first().selectOption(language);
    expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
    await follow('webhooks/topics');
    await follow('webhooks/topics/new');
    const name = `Rated ${language} ${by}`;
    await type('#field-name', name);
    await type('#expression', EXPRESSIONS[by]);
    // The preview is updated to show the existing objects that match the typed expression.
    await page.locator('ats-object-preview [role=status]:not(:empty)').waitFor();
    await press(t.create);
    await page.waitForURL(/\/topics\/\d+$/);

    await follow('webhooks/subscribe');
    await type('#field-destination_url', `${receiver.url}?${language}-${by}`);
    await press(t.next);
    await page.locator('main:focus #field-topic').selectOption({ label: name });
    await press(t.subscribe);
    const log = await page.locator('main:focus a[href*="log?endpoint="]').getAttribute('href');

    await follow(String(log).replace('/console/', ''));
    await page.locator('.badge.good[role=status]').waitFor();
    await applyTo(service.client, vacancy);
    await page.locator('[data-status=delivered]').waitFor();

    receiver.answerWith((_, response) => response.writeHead(500).end('broken'));
    await applyTo(service.client, vacancy);
    await page.locator('tr:has([data-status=due])').waitFor();
    receiver.answerWith((_, response) => response.writeHead(204).end());
    await openFirstRow('due');
    await page.locator('dialog pre', { hasText: 'broken' }).waitFor();
    await press(t.redeliver);
    await press(t.explain);
    await page.locator('.explanation li').first().waitFor();
    expect(await page.locator('.explanation').textContent()).toContain('application.id > 0');
    expect(await page.locator('dialog').evaluate(isTooWide)).toBe(false);
    await page.getByRole('region', { name: t.why }).getByRole('img', { name: t.matches }).first().waitFor();
    expect(await web.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('tr:nth-child(2) [data-status=delivered]').waitFor();
    expect(web.faults).toEqual([]);
  });
});

test('an integrator changes order, limits, headers and OAuth 2 of an endpoint by keyboard', async () => {
  const { page } = web;
  await page.locator('header select').first().selectOption('en');
  await web.open('webhooks/endpoints/1');
  const fill = async (values: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(values)) await page.locator(`#field-${name}`).fill(value);
  };
  await page.locator('#field-ordering').selectOption('none');
  await page.locator('#field-authentication').selectOption('oauth2_client_credentials');
  await fill({ limit: '50', per_s: '10', max: '20', wait_ms: '500', custom_headers: 'x-api-key: secret' });
  await fill({ token_url: 'https://user:password@id.example.com/', client_id: 'ats', client_secret: 'secret' });
  await page.keyboard.press('Enter');
  // The service refuses a URL with a password, and the field says so.
  await page.locator('#error-token_url:not(:empty)').waitFor();
  expect(await web.axe()).toEqual([]);
  await fill({ token_url: 'https://id.example.com/token' });
  await page.keyboard.press('Enter');
  await page.locator('.toast[data-shown]').waitFor();
  expect(await service.client.get('/notification_endpoints/1')).toMatchObject({
    ordering: 'none',
    throttle: { limit: 50, per_s: 10 },
    batch: { max: 20, wait_ms: 500 },
    custom_headers: { 'x-api-key': 'secret' },
    authentication: { type: 'oauth2_client_credentials', token_url: 'https://id.example.com/token', client_id: 'ats' },
  });
  await fill({ limit: '', per_s: '', max: '', wait_ms: '', custom_headers: '' });
  await page.locator('#field-authentication').selectOption('none');
  await page.locator('ats-endpoint-settings button.primary').focus();
  await page.keyboard.press('Enter');
  await waitUntil('the settings are taken back', 60_000, async () => {
    const { throttle, batch, custom_headers: headers } = await service.client.get<Item>('/notification_endpoints/1');
    return throttle === null && batch === null && Object.keys(headers as object).length === 0;
  });
  expect(web.faults).toEqual([]);
});

describe('every view', () => {
  const VIEWS = [
    'webhooks',
    'webhooks/subscribe',
    'webhooks/endpoints',
    'webhooks/endpoints/1',
    'webhooks/log',
    'webhooks/topics',
    'webhooks/topics/1',
    'webhooks/topics/new',
    'nowhere',
  ];

  const choose = (language: string): Promise<unknown> =>
    web.page.locator('header select').first().selectOption(language);

  afterAll(() => choose('en'));

  it.each(VIEWS)('%s is accessible in both modes and writing directions, and fits a phone', async (path) => {
    const { page } = web;
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const language of ['en', 'ar'])
      for (const scheme of ['light', 'dark'] as const) {
        await choose(language);
        await page.emulateMedia({ colorScheme: scheme });
        await web.open(path);
        await page.waitForLoadState('load');
        const shots = process.env['CONSOLE_SCREENSHOTS'];
        if (shots) await page.waitForTimeout(700);
        expect(await web.axe()).toEqual([]);
        if (shots) await page.screenshot({ path: `${shots}/${path.replaceAll('/', '_')}-${language}-${scheme}.png` });
      }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    if (process.env['CONSOLE_SCREENSHOTS'])
      await page.screenshot({ path: `${process.env['CONSOLE_SCREENSHOTS']}/${path.replaceAll('/', '_')}-phone.png` });
    expect(web.faults).toEqual([]);
  });
});

describe('an error of the service', () => {
  const PATH = '**/api/v1/notification_endpoints?*';
  const answer = (status: number) => ({ status, json: { message: 'made up', request_id: 'request-1', errors: [] } });

  beforeAll(() => web.page.setViewportSize({ width: 1280, height: 900 }));

  it.each([429, 503])('%s is shown with its request id, and can be tried again', async (status) => {
    const { page } = web;
    await page.route(PATH, (route) => route.fulfill(answer(status)));
    await web.open('webhooks/endpoints');
    await page.locator('.problem', { hasText: 'request-1' }).waitFor();
    await page.unroute(PATH);
    await page.locator('.problem button').click();
    await page.locator('ats-data-table').waitFor();
  });

  it('is explained when the browser is offline', async () => {
    const { page } = web;
    await web.open('webhooks/endpoints');
    await page.locator('ats-data-table').waitFor();
    await page.context().setOffline(true);
    await page.locator('.banner').waitFor();
    // The page can load neither the code of the view nor its data.
    await page.locator('nav a[href$="/webhooks/topics"]').click();
    await page.locator('.problem button').waitFor();
    expect(await web.axe()).toEqual([]);
    await page.context().setOffline(false);
    await page.locator('.banner').waitFor({ state: 'detached' });
    // The view must load again by itself, without a click on the button.
    await page.locator('ats-data-table').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/webhooks/topics');
  });

  it('401 leads to the sign-in and back to the same address', async () => {
    const { page } = web;
    const credential = await service.client.post<Item & { token: string }>('/credentials', {
      name: 'for a while',
      scopes: ['notifications:read'],
    });
    await page.evaluate('sessionStorage.clear()');
    await web.signIn(String(credential['token']), 'webhooks/topics');
    // Waits until the view has sent all its requests. The click then sends the first request that the service refuses.
    await page.locator('ats-data-table').waitFor();
    await service.client.delete(`/credentials/${credential.id}`);
    await page.locator('nav a[href$="/webhooks/endpoints"]').click();
    await page.locator('.notice').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.locator('input[name=token]').fill(token);
    await page.keyboard.press('Enter');
    await page.locator('ats-data-table').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/webhooks/endpoints');
  });
});
