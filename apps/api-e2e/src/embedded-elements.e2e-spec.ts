// @group long: starts Chromium, and installs it when it is missing
import { afterAll, beforeAll, describe, expect, it, jest, test } from '@jest/globals';
import { applyTo, type Item, openVacancy } from './support/api-client.js';
import { ConsolePage } from './support/console-page.js';
import { EmbeddingPage, type EmbeddingSettings } from './support/embedding-page.js';
import { Receiver } from './support/receiver.js';
import { SINGLE, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

jest.setTimeout(300_000);

const WAIT_MS = 60_000;
let site: EmbeddingPage;
let service: Service;
let receiver: Receiver;
let web: ConsolePage;
let vacancy: Item;
let settings: EmbeddingSettings;

beforeAll(async () => {
  site = await EmbeddingPage.start();
  [service, receiver] = await Promise.all([Service.start({ CORS_ORIGINS: site.origin }, SINGLE), Receiver.start()]);
  const { origin: address } = new URL(service.client.baseUrl);
  vacancy = await openVacancy(service.client);
  const topic = await service.client.post('/notification_topics', {
    name: 'Applications',
    type: 'APPLICATION_CREATE',
    expression: null,
  });
  const { endpoint } = await service.client.post<Item & { endpoint: Item }>(
    `/notification_topics/${topic.id}/subscriptions`,
    { destination_url: receiver.url },
  );
  settings = { address, token: service.client.token, endpoint: endpoint.id };
  web = await ConsolePage.start(site.origin, { allowed: [address] });
});
afterAll(async () => {
  await web.stop();
  await receiver.stop();
  await service.stop();
  await site.stop();
});

const notes = (): Promise<string> => web.page.locator('output').innerText();
const editedText = (): Promise<string> => web.page.locator('.cm-content').innerText();

describe.each([
  ['plain', 'en'],
  ['react', 'de'],
  ['vue', 'ar'],
] as const)('a page in %s and in %s', (name, language) => {
  const TEXTS = {
    en: { redeliver: 'Redeliver', explain: 'Explain', live: 'Live', noAttribute: 'has no attribute' },
    de: { redeliver: 'Erneut zustellen', explain: 'Erklären', live: 'Live', noAttribute: 'hat kein Attribut' },
    ar: { redeliver: 'إعادة التسليم', explain: 'شرح', live: 'مباشر', noAttribute: 'لا توجد في' },
  }[language];

  beforeAll(async () => {
    receiver.answerWith((_, response) => response.writeHead(204).end());
    await site.show(name, settings, language);
    await web.page.goto(site.origin);
  });
  afterAll(() => expect([...web.faults, ...web.errors]).toEqual([]));

  it('shows new deliveries without a reload, also a failed one', async () => {
    const { page } = web;
    await page.locator('.badge.good[role=status]', { hasText: TEXTS.live }).waitFor();
    await applyTo(service.client, vacancy);
    await page.locator('tr:nth-child(1) [data-status=delivered]').waitFor();
    receiver.answerWith((_, response) => response.writeHead(500).end('broken'));
    await applyTo(service.client, vacancy);
    await page.locator('tr:nth-child(1) [data-status=due]').waitFor();
    receiver.answerWith((_, response) => response.writeHead(204).end());
  });

  it('redelivers and explains a delivery, and gets an event about the redelivery', async () => {
    const { page } = web;
    await page.locator('tr[data-index="0"] button[aria-haspopup=dialog]').focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog pre', { hasText: 'broken' }).first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: TEXTS.redeliver, exact: true }).click();
    await waitUntil('the page is told', WAIT_MS, async () => (await notes()).includes('redeliver true'));
    await page.getByRole('button', { name: TEXTS.explain, exact: true }).click();
    await page.locator('.explanation li').first().waitFor();
    expect(await web.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('tr:nth-child(2) [data-status=delivered]').waitFor();
  });

  it('completes an expression, marks an error, and gets an event about the change', async () => {
    const { page } = web;
    await page.locator('ats-expression-editor button:enabled').waitFor();
    await page.locator('#expression').focus();
    const option = page.locator('.cm-tooltip-autocomplete [role=option][aria-selected]', { hasText: /vacancy/ });
    await waitUntil('the name is completed', WAIT_MS, async () => {
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('application.vacanc');
      await option.waitFor();
      // The steps are repeated until they work, because the editor ignores a key that is pressed just when the list
      // opens.
      await page.keyboard.press('Enter');
      return (await editedText()) === 'application.vacancy';
    });
    await page.keyboard.press('Control+a');
    await page.keyboard.type('application.idd>1');
    await page.locator('.cm-lintRange-error', { hasText: 'idd' }).waitFor();
    const fault = await page.locator('ats-expression-editor #error').innerText();
    expect(fault).toContain('idd');
    expect(fault).toContain(TEXTS.noAttribute);
    await page.keyboard.press('Escape');
    await page.locator('ats-expression-editor .fix').first().click();
    expect(await editedText()).toBe('application.id>1');
    expect(await web.axe()).toEqual([]);
    await page.locator('ats-delivery-log select[name=status]').focus();
    expect((await notes()).match(/^change .*$/gm)).toEqual(['change application.id>1']);
    expect(await notes()).not.toContain('problem');
  });

  it('is protected from the styles of the page, and takes over its colours', async () => {
    const { page } = web;
    await page.locator('ats-delivery-log table').waitFor();
    const styleOf = (selector: string, property: string): Promise<string> =>
      page.locator(selector).evaluate((element, key) => {
        const window = globalThis as unknown as {
          getComputedStyle(element: unknown): { getPropertyValue(name: string): string };
        };
        return window.getComputedStyle(element).getPropertyValue(key);
      }, property);
    expect(await styleOf('ats-delivery-log select[name=status]', 'background-color')).not.toBe('rgb(255, 255, 0)');
    expect(await styleOf('ats-expression-editor button >> nth=0', 'color')).toBe('rgb(128, 0, 64)');
    expect(await styleOf('ats-delivery-log .root', 'direction')).toBe(language === 'ar' ? 'rtl' : 'ltr');
    const shots = process.env['CONSOLE_SCREENSHOTS'];
    if (shots) await page.screenshot({ path: `${shots}/embedded-${name}.png`, fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

test('a refused token is shown, and the page gets an event about it', async () => {
  const { page } = web;
  await site.show('plain', { ...settings, token: 'unknown' });
  await page.goto(site.origin);
  await page.locator('ats-delivery-log .problem').waitFor();
  expect(await notes()).toContain('problem');
});

test('a page whose origin is not in CORS_ORIGINS shows that the service cannot be reached', async () => {
  const { page } = web;
  const other = await EmbeddingPage.start();
  try {
    await other.show('plain', settings);
    await page.goto(other.origin);
    await page.locator('ats-delivery-log .problem', { hasText: 'cannot be reached' }).waitFor({ timeout: 200_000 });
  } finally {
    await other.stop();
  }
});
