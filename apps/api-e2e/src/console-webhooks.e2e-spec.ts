// @group long: starts Chromium, and installs it when it is missing
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Item } from './support/api-client.js';
import { ConsolePage } from './support/console-page.js';
import { deliverApplication } from './support/delivered-application.js';
import { Receiver } from './support/receiver.js';
import { SINGLE, Service } from './support/service.js';

jest.setTimeout(300_000);

let service: Service;
let receiver: Receiver;
let web: ConsolePage;
let topic: Item;
let endpoint: Item;

beforeAll(async () => {
  [service, receiver] = await Promise.all([Service.start({}, SINGLE), Receiver.start()]);
  const { client } = service;
  ({ topic, endpoint } = await deliverApplication(client, receiver.url));
  web = await ConsolePage.start(new URL(client.baseUrl).origin);
  await web.signIn(client.token);
});
afterAll(async () => {
  await web.stop();
  await receiver.stop();
  await service.stop();
});

it('a refused rotation and a refused header show the reason at their fields', async () => {
  const { page } = web;
  await web.open(`webhooks/endpoints/${endpoint.id}`);
  await web.press('Rotate the key');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Seconds for which the old key stays valid').fill('99999999999');
  await page.keyboard.press('Enter');
  await dialog.locator('#error-overlap_s:not(:empty)').waitFor();
  await page.keyboard.press('Escape');
  // A closed dialog no longer has a role, and the page removes it with its error a moment later.
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.problem').count()).toBe(0);
  await page.locator('#field-custom_headers').fill('host: example.com');
  await web.press('Save');
  await page.locator('#error-custom_headers', { hasText: 'host' }).waitFor();
  // The dialog of the API call also has the change that was sent, without secrets.
  await web.press('Show the API call');
  const change = page.getByRole('dialog').locator('pre', { hasText: '-X PATCH' });
  await change.filter({ hasText: '"custom_headers":{"host":"…"}' }).waitFor();
  await page.getByRole('dialog').locator('pre', { hasText: 'await notificationEndpointsPatch(' }).waitFor();
  expect(await web.axe()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('#field-custom_headers').fill('');
  await web.press('Save');
  await page.locator('.toast[data-shown]').waitFor();
  expect(await page.locator('.problem').count()).toBe(0);
});

it('an opened delivery has an address, and the address of an unknown endpoint shows no other endpoint', async () => {
  const { page } = web;
  await web.open(`webhooks/log?endpoint=${endpoint.id}`);
  await page.locator('[data-status=delivered]').first().waitFor();
  await page.locator('tr[data-index="0"]').click();
  await page.waitForURL(/delivery=\d+%2F\d+%2F\d+/);
  await page.reload();
  await page.locator('dialog h2', { hasText: 'Delivery' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.search.includes('delivery'));
  await web.open('webhooks/log?endpoint=999999');
  await page.locator('ats-delivery-log .problem').waitFor();
  expect(await page.locator('#field-endpoint').inputValue()).toBe('');
});

it('the delivery log selects by time and by topic', async () => {
  const { page } = web;
  await web.open(`webhooks/log?endpoint=${endpoint.id}&since=2000-01-01T00:00:00.000Z`);
  await page.locator('[data-status=delivered]').first().waitFor();
  const limits = ['since', 'until'].map((name) => page.locator(`ats-delivery-log input[name=${name}]`).boundingBox());
  const [since, until] = await Promise.all(limits);
  expect(since?.y).toBe(until?.y);
  await page.locator('ats-delivery-log select[name=topic]').selectOption(String(topic.id));
  await page.waitForURL(new RegExp(`topic=${topic.id}`));
  await page.locator('[data-status=delivered]').first().waitFor();
  await page.locator('ats-delivery-log input[name=since]').fill('2090-01-01T00:00');
  await page.locator('ats-delivery-log input[name=since]').dispatchEvent('change');
  await page.locator('ats-delivery-log .empty').waitFor();
  expect(await web.axe()).toEqual([]);
});

it('the steps of the form of a subscription have addresses, and its API call has the typed URL', async () => {
  const { page } = web;
  await web.open('webhooks/subscribe');
  await page.locator('#field-destination_url').fill('https://example.com/typed');
  await web.press('Show the API call');
  await page.getByRole('dialog').locator('pre', { hasText: 'https://example.com/typed' }).first().waitFor();
  expect(await web.axe()).toEqual([]);
  // Browsers have no clipboard for pages without HTTPS.
  await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await web.press('Copy: curl');
  await page.locator('dialog .toast', { hasText: 'Copying failed.' }).waitFor();
  await page.keyboard.press('Escape');
  await web.press('Continue');
  await page.waitForURL(/step=2/);
  await page.reload();
  await page.locator('#field-topic').waitFor();
  await page.goBack();
  await page.locator('#field-destination_url').waitFor();
});

it('the delivery log loads older deliveries at its end', async () => {
  const { page } = web;
  const ping = (): Promise<unknown> => service.client.post(`/notification_endpoints/${endpoint.id}/ping`, {});
  for (let sent = 0; sent < 120; sent += 10) await Promise.all(Array.from({ length: 10 }, ping));
  await web.open(`webhooks/log?endpoint=${endpoint.id}`);
  await page.locator('ats-delivery-log table[aria-rowcount="101"]').waitFor();
  const older = page.locator('ats-delivery-log table:not([aria-rowcount="101"])');
  // A delivery that arrives may move the focus, so the key is pressed until older deliveries are loaded.
  while (!(await older.isVisible())) {
    await page.locator('tr[data-index] .open').first().focus();
    await page.keyboard.press('End');
    await older.waitFor({ timeout: 5_000 }).catch(() => undefined);
  }
});

it('the lists and the overview have more than a hundred topics and endpoints', async () => {
  const { page } = web;
  const create = async (number: number): Promise<void> => {
    const { id } = await service.client.post('/notification_topics', {
      name: `Topic ${number}`,
      type: 'VACANCY_UPDATE',
    });
    await service.client.post(`/notification_topics/${id}/subscriptions`, {
      destination_url: `${receiver.url}?${number}`,
    });
  };
  for (let first = 0; first < 110; first += 10)
    await Promise.all(Array.from({ length: 10 }, (_, index) => create(first + index)));
  for (const path of ['webhooks/topics', 'webhooks/endpoints']) {
    await web.open(path);
    await page.locator('table[aria-rowcount="112"]').waitFor();
  }
  await web.open('webhooks/subscribe');
  await page.locator('#field-endpoint_id option:nth-child(112)').waitFor({ state: 'attached' });
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().includes('/metrics?') && asked.push(request.url())));
  await web.open('webhooks');
  await page.locator('.figure', { hasText: 'Endpoints' }).getByText('111', { exact: true }).waitFor();
  expect(asked).toEqual([expect.stringContaining('/notification_endpoints/metrics?')]);
  expect(await web.figuresOf('Backlog by endpoint')).toContain('Backlog');
});

it('an integrator ends a subscription, and then deletes its endpoint', async () => {
  const { page } = web;
  const { client } = service;
  const own = await client.post('/notification_topics', { name: 'Short', type: 'VACANCY_UPDATE' });
  const shared = await client.post('/notification_endpoints', { name: 'Shared', destination_url: receiver.url });
  await client.post(`/notification_topics/${own.id}/subscriptions`, { endpoint_id: shared.id });
  await web.open(`webhooks/endpoints/${shared.id}`);
  await web.press('Delete the endpoint');
  await web.press('Delete');
  await page.locator('dialog .problem').waitFor();
  await web.open(`webhooks/topics/${own.id}`);
  await web.press(/^End the subscription: /);
  expect(await web.axe()).toEqual([]);
  await web.press('End the subscription');
  await page.getByText('No subscriptions yet').waitFor();
  await page.locator('main').getByRole('link', { name: 'Subscribe' }).click();
  await page.locator('#field-destination_url').fill('https://example.com/short');
  await web.press('Continue');
  expect(await page.locator('#field-topic').inputValue()).toBe(String(own.id));
  await web.open(`webhooks/endpoints/${shared.id}`);
  await web.press('Delete the endpoint');
  await web.press('Delete');
  await page.waitForURL(/webhooks\/endpoints$/);
  const endpoints = await client.get<Item[]>(
    '/notification_endpoints?per_page=1000&search=notification_endpoint.name=Shared',
  );
  expect(endpoints).toEqual([]);
});

it('no view caused a script error, a violation of the policy, or a request to another origin', () => {
  expect(web.faults).toEqual([]);
});
