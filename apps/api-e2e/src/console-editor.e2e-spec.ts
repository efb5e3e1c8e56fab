// @group long: starts Chromium, and installs it when it is missing
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConsolePage } from './support/console-page.js';
import { SINGLE, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

jest.setTimeout(300_000);

const WAIT_MS = 60_000;
let service: Service;
let web: ConsolePage;

beforeAll(async () => {
  service = await Service.start({}, SINGLE);
  web = await ConsolePage.start(new URL(service.client.baseUrl).origin);
  await web.signIn(service.client.token);
});
afterAll(async () => {
  await web.stop();
  await service.stop();
});

const text = (): Promise<string> => web.page.locator('.cm-content').innerText();

/**
 * Presses a key until the editor has this text. CodeMirror ignores keys just after its list of suggestions has opened.
 */
const pressUntil = (key: string, expected: string): Promise<void> =>
  waitUntil(`${key} makes ${expected}`, WAIT_MS, async () => {
    if ((await text()) === expected) return true;
    await web.page.keyboard.press(key);
    return false;
  });

describe.each([
  ['en', 'light'],
  ['ar', 'dark'],
] as const)('the editor of expressions in %s and %s colours', (language, colorScheme) => {
  const editor = (): ReturnType<typeof web.page.locator> => web.page.locator('ats-expression-editor');

  beforeAll(async () => {
    await web.page.emulateMedia({ colorScheme });
    await web.page.locator('header select').first().selectOption(language);
    await web.open('webhooks/topics/new');
    await web.page.locator('#expression').focus();
    // Waits for the catalogue, which is loaded after the editor. There are no suggestions without it.
    await editor().locator('button:enabled').waitFor();
  });
  afterAll(() => expect(web.faults).toEqual([]));

  it('completes a name when the user presses keys', async () => {
    const { page } = web;
    await page.keyboard.type('application.vacanc');
    await page.locator('.cm-tooltip-autocomplete [role=option][aria-selected]', { hasText: /vacancy/ }).waitFor();
    expect(await web.axe()).toEqual([]);
    await pressUntil('Enter', 'application.vacancy');
  });

  it('marks a wrong name, says what is wrong, and offers a fix by keyboard', async () => {
    const { page } = web;
    await page.keyboard.press('Control+a');
    await page.keyboard.type('application.idd>1');
    await page.locator('.cm-lintRange-error', { hasText: 'idd' }).waitFor();
    expect(await page.locator('.cm-content').getAttribute('aria-invalid')).toBe('true');
    expect(await editor().locator('#error').innerText()).toContain('idd');
    await page.keyboard.press('Escape');
    expect(await web.axe()).toEqual([]);
    const fix = editor().locator('.fix').first();
    await fix.focus();
    await page.keyboard.press('Enter');
    expect(await text()).toBe('application.id>1');
    expect(await editor().locator('#error').innerText()).toBe('');
  });

  it('formats, undoes, and lets the Tab key leave the editor', async () => {
    const { page } = web;
    await page.locator('#expression').focus();
    await page.keyboard.press('Shift+Alt+f');
    expect(await text()).toBe('application.id > 1');
    await page.keyboard.press('Control+z');
    expect(await text()).toBe('application.id>1');
    await editor().locator('button').click();
    expect(await text()).toBe('application.id > 1');
    expect(await page.evaluate(`document.querySelector('ats-expression-editor').value`)).toBe('application.id > 1');
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(`document.activeElement.shadowRoot?.activeElement?.className.includes('cm-content')`),
    ).not.toBe(true);
  });

  it('explains a name under the pointer', async () => {
    const { page } = web;
    await page
      .locator('.cm-content .tok-propertyName, .cm-line')
      .first()
      .hover({ position: { x: 20, y: 10 } });
    await page.locator('.cm-expression-hover code').waitFor();
    expect(await page.locator('.cm-expression-hover').innerText()).not.toBe('');
  });

  it('writes code from left to right, and fits a phone', async () => {
    const { page } = web;
    const direction = `getComputedStyle(document.querySelector('ats-expression-editor').shadowRoot.querySelector('.cm-content')).direction`;
    expect(await page.evaluate(direction)).toBe('ltr');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

it('the violation of an expression in an address is shown next to the field', async () => {
  await web.open('data/candidates#where=candidate.lastnam%20%3D%3D%20%22x%22');
  await web.page.locator('ats-expression-editor #error', { hasText: 'lastname' }).waitFor();
});
