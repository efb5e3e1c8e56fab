// @group long: starts Chromium, and installs it when it is missing
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Dialog } from 'playwright-core';
import { applyTo, type Item, openVacancy } from './support/api-client.js';
import { ConsolePage } from './support/console-page.js';
import { SINGLE, Service } from './support/service.js';

jest.setTimeout(300_000);

let service: Service;
let web: ConsolePage;
let origin: string;
let application: Item;

beforeAll(async () => {
  service = await Service.start({}, SINGLE);
  const { client } = service;
  application = await applyTo(client, await openVacancy(client));
  origin = new URL(client.baseUrl).origin;
  web = await ConsolePage.start(origin);
  await web.signIn(client.token, 'data');
});
afterAll(async () => {
  await web.stop();
  await service.stop();
});

it('a violation inside a value is shown at its field, and so is a text that is no JSON', async () => {
  const { page } = web;
  const form = await service.client.post('/forms', {
    name: 'Screening',
    resource: 'applications',
    sections: [{ name: 'Licence', items: [{ key: 'licence', label: 'Licence', type: 'boolean' }] }],
  });
  await web.open(`data/forms/${form.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const field = page.locator('[data-path="/sections"]');
  const input = field.getByRole('textbox');
  for (const [text, error] of [
    ['[{', 'This is no JSON'],
    ['[{ "name": "A", "items": [{ "key": "a", "label": "A", "type": "wrong" }] }]', '/sections/0/items/0/type'],
  ] as const) {
    await input.fill(text);
    await page.locator('ats-item-form').getByRole('button', { name: 'Save' }).click();
    await field.locator('.error', { hasText: error }).waitFor();
    await page.locator('[data-path="/sections"] textarea:focus').waitFor();
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.problem', { hasText: error }).count()).toBe(0);
  }
  expect(await web.axe()).toEqual([]);
});

it('a preview beside a form follows its conditions, the typed answers and the typed sections', async () => {
  const { page } = web;
  const form = await service.client.post('/forms', {
    name: 'Driving',
    resource: 'applications',
    sections: [
      {
        name: 'Licence',
        items: [
          { key: 'licence', label: 'Licence', type: 'boolean' },
          { key: 'grade', label: 'Class', type: 'text', visible_if: 'application.formdata.licence == TRUE' },
          { key: 'hidden', label: 'Rated', type: 'text', visible_if: 'application.id < 0' },
        ],
      },
    ],
  });
  await web.open(`data/forms/${form.id}`);
  const preview = page.locator('ats-form-preview');
  const shown = preview.getByRole('status').last();
  // An empty form lacks the value that one condition reads, so the preview shows this question together with its
  // condition.
  await shown.filter({ hasText: 'Questions shown: 2 of 3' }).waitFor();
  await preview.getByText('Shown if').waitFor();
  await preview.getByLabel('Licence', { exact: true }).selectOption('true');
  await preview.getByLabel('Class').waitFor();
  await preview.getByLabel('With the values of').selectOption(String(application.id));
  await shown.filter({ hasText: 'Questions shown: 2 of 3' }).waitFor();
  expect(await preview.getByLabel('Rated').count()).toBe(0);
  await preview.getByLabel('Licence', { exact: true }).selectOption('false');
  await shown.filter({ hasText: 'Questions shown: 1 of 3' }).waitFor();
  // The preview applies a typed condition before it is saved.
  await page.getByRole('button', { name: /Condition of “Class”/ }).click();
  await preview.getByLabel('Class').waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const input = page.locator('[data-path="/sections"]').getByRole('textbox');
  await input.fill('[{ "name": "Other", "items": [{ "key": "new", "label": "New question", "type": "text" }] }]');
  await preview.getByLabel('New question').waitFor();
  await input.fill('[{');
  await preview.getByLabel('New question').waitFor();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await web.axe()).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await preview.getByLabel('Class').waitFor();
});

it('the form of a topic shows only the first line of an error in its expression', async () => {
  const { page } = web;
  await web.open('webhooks/topics/new');
  await page.locator('#field-name').fill('Wrong');
  await page.locator('#expression').fill('application.idd > 0');
  await page.getByRole('button', { name: 'Create the topic' }).click();
  const error = page.locator('ats-expression-editor #error', { hasText: 'idd' });
  await error.waitFor();
  expect(String(await error.textContent()).trim()).not.toContain('\n');
});

it('the API call of an edited item has the typed values and the version, until the user cancels', async () => {
  const { page } = web;
  const { id } = application['user'] as Item;
  await web.open(`data/candidates/${id}`);
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  const call = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Show the API call' }).click();
    const text = await page.getByRole('dialog').innerText();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    return text;
  };
  await edit.click();
  await page.getByLabel('Lastname').fill('Sample');
  const text = await call();
  expect(text).toContain(`-d '{"lastname":"Sample"}'`);
  expect(text).toMatch(/-H 'If-Match: "[^"]+"'/);
  expect(text).toMatch(/headers: \{"If-Match":/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await edit.click();
  expect(await call()).not.toContain('Sample');
});

it('the user is asked before an edited form is left', async () => {
  const { page } = web;
  const questions: string[] = [];
  let isAccepted = false;
  const decide = async (question: Dialog): Promise<void> => {
    questions.push(question.message());
    await (isAccepted ? question.accept() : question.dismiss());
  };
  page.on('dialog', decide);
  await web.open('webhooks/topics');
  await page.getByRole('link', { name: 'New topic' }).click();
  await page.locator('#field-name').fill('Unsaved');
  const link = page.getByRole('navigation').getByRole('link', { name: 'Endpoints' });
  await link.click();
  expect(questions).toHaveLength(1);
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(questions).toHaveLength(2);
  await page.evaluate('history.back()');
  await page.waitForFunction('location.pathname.endsWith("/topics/new")');
  expect(await page.locator('#field-name').inputValue()).toBe('Unsaved');
  isAccepted = true;
  await link.click();
  await page.waitForURL(/endpoints$/);
  const before = questions.length;
  await page.getByRole('navigation').getByRole('link', { name: 'Topics' }).click();
  await page.waitForURL(/topics$/);
  expect(questions).toHaveLength(before);
  page.off('dialog', decide);
});

it.each(['endpoint', 'destination', 'message'] as const)(
  'the console asks before it discards an edited %s',
  async (kind) => {
    const { page } = web;
    const endpoint = await service.client.post('/notification_endpoints', {
      name: `Asked ${kind}`,
      destination_url: 'https://example.com/',
    });
    await service.client.post('/notification_topics', { name: `Asked ${kind}`, type: 'APPLICATION_CREATE' });
    const questions: string[] = [];
    const dismiss = async (question: Dialog): Promise<void> => {
      questions.push(question.message());
      await question.dismiss();
    };
    const [path, field, saved] = {
      endpoint: [`webhooks/endpoints/${endpoint.id}`, '#field-custom_headers', 'Save'],
      destination: ['webhooks/subscribe', '#field-destination_url', 'Continue'],
      message: [`applications/applications/${application.id}`, '#field-body', 'Send'],
    }[kind] as [string, string, string];
    const link = page.getByRole('navigation').getByRole('link', { name: 'Endpoints' });
    await web.open(path);
    await page.locator(field).fill(kind === 'endpoint' ? 'x-typed: 1' : 'https://example.com/typed');
    page.on('dialog', dismiss);
    await link.click();
    expect(questions).toHaveLength(1);
    // After the form is submitted, the console does not ask.
    await page.getByRole('button', { name: saved, exact: true }).click();
    await (kind === 'destination' ? page.locator('#field-topic') : page.locator('.toast[data-shown]')).waitFor();
    await link.click();
    await page.waitForURL(/endpoints$/);
    expect(questions).toHaveLength(1);
    page.off('dialog', dismiss);
  },
);

it('an open dialog keeps its values while the user signs in again', async () => {
  const { client } = service;
  const { page } = web;
  const scopes = ['credentials:read', 'credentials:create', 'vacancies:read'];
  const short = await client.post<Item & { token: string }>('/credentials', { name: 'Short dialog', scopes });
  await page.evaluate('sessionStorage.clear()');
  await web.signIn(short.token, 'administration/credentials');
  await web.open('administration/credentials');
  await page.getByRole('button', { name: 'New credential' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Typed in a dialog');
  await dialog.getByLabel('vacancies:read', { exact: true }).check();
  await client.delete(`/credentials/${short.id}`);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.locator('input[name=token]').fill(client.token);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed in a dialog');
  expect(await web.axe()).toEqual([]);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.locator('pre').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-key]', { hasText: 'Typed in a dialog' }).waitFor();
});

it('an edited form stays while the user signs in again, and can then be saved', async () => {
  const { client } = service;
  const scopes = ['notifications:write', 'notifications:read'];
  const short = await client.post<Item & { token: string }>('/credentials', { name: 'Short', scopes });
  const { page } = web;
  await page.evaluate('sessionStorage.clear()');
  await web.signIn(short.token);
  await web.open('webhooks/topics/new');
  await page.locator('#field-name').fill('Typed before');
  // Waits until the view has sent all its requests. The save is then the first request that the service refuses.
  await page.waitForLoadState('networkidle');
  await client.delete(`/credentials/${short.id}`);
  await page.getByRole('button', { name: 'Create the topic' }).click();
  await page.locator('.notice').waitFor();
  expect(await page.locator('#field-name').isVisible()).toBe(false);
  await page.locator('input[name=token]').fill(client.token);
  await page.keyboard.press('Enter');
  await page.locator('#field-name').waitFor();
  expect(await page.locator('#field-name').inputValue()).toBe('Typed before');
  await page.getByRole('button', { name: 'Create the topic' }).click();
  await page.waitForURL(/topics\/\d+$/);
  expect(web.faults).toEqual([]);
});
