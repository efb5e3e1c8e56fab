// @group long: starts Chromium, and installs it when it is missing
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { applyTo, type Item, openVacancy } from './support/api-client.js';
import { ConsolePage } from './support/console-page.js';
import { SINGLE, Service } from './support/service.js';

jest.setTimeout(300_000);

const MAX_BYTES = 4_000_000;

let service: Service;
let browser: ConsolePage;
let application: Item;

beforeAll(async () => {
  service = await Service.start({ DOCUMENT_MAX_BYTES: String(MAX_BYTES) }, SINGLE);
  application = await applyTo(service.client, await openVacancy(service.client));
  browser = await ConsolePage.start(new URL(service.client.baseUrl).origin);
  await browser.signIn(service.client.token, 'data');
});
afterAll(async () => {
  await browser.stop();
  await service.stop();
});

/**
 * Expects that the present view is accessible in dark and light mode and in both writing directions, and fits a phone.
 */
async function expectAccessible(): Promise<void> {
  const { page } = browser;
  for (const language of ['ar', 'en']) {
    await page.locator('header select').first().selectOption(language);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await browser.axe()).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 900 });
}

it('a user uploads, downloads and deletes documents of an application and its candidate', async () => {
  const { page, faults } = browser;
  await browser.open(`applications/applications/${application.id}`);
  const documents = page.getByRole('region', { name: 'Documents' });
  await documents.getByText('Add a document').click();
  const upload = documents.getByRole('button', { name: 'Upload', exact: true });
  await upload.click();
  await documents.locator('#error-file', { hasText: 'Choose a file.' }).waitFor();
  const file = documents.getByLabel('File', { exact: true });
  await file.setInputFiles({ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) });
  await upload.click();
  await documents.locator('#error-file', { hasText: 'The file is empty.' }).waitFor();
  // The service refuses a file that is too large, and its message appears below the file field.
  await file.setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(MAX_BYTES + 1) });
  await upload.click();
  await documents.locator('#error-file', { hasText: String(MAX_BYTES) }).waitFor();
  // The file needs several parts, so that the page shows the progress of the upload.
  const bytes = Buffer.alloc(3_000_000, 'a');
  await file.setInputFiles({ name: 'résumé.txt', mimeType: 'text/plain', buffer: bytes });
  const parts: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && parts.push(request.url()));
  await upload.click();
  await documents.locator('li', { hasText: 'résumé.txt' }).waitFor();
  expect(parts.filter((url) => url.includes('/documents/uploads/'))).toHaveLength(3);

  await file.setInputFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('letter') });
  await documents.getByLabel('Kind').selectOption('cover_letter');
  await documents.getByLabel('Belongs to').selectOption('candidate');
  await upload.click();
  await documents.locator('li', { hasText: /letter.txt.*the candidate/s }).waitFor();
  const stored = await service.client.get<Item[]>('/documents?sort=document.id!asc');
  expect(stored).toMatchObject([
    { name: 'résumé.txt', kind: 'cv', size: 3_000_000, application: { id: application.id } },
    { name: 'letter.txt', kind: 'cover_letter', owner: 'candidate' },
  ]);
  await expectAccessible();

  const download = page.waitForEvent('download');
  await documents.getByRole('button', { name: 'Download résumé.txt' }).click();
  expect(readFileSync(await (await download).path())).toEqual(bytes);
  await documents.getByRole('button', { name: 'Delete letter.txt' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await documents.locator('li', { hasText: 'letter.txt' }).waitFor({ state: 'detached' });
  expect(await service.client.get<Item[]>('/documents')).toHaveLength(1);
  expect(faults).toEqual([]);
});

it('the console shows the objects that meet a condition while a user types, and stores the condition', async () => {
  const { page, faults } = browser;
  const { sections, ...form } = await service.client.post<Item & { sections: { items: Item[] }[] }>('/forms', {
    name: 'Screening',
    resource: 'applications',
    sections: [
      {
        name: { en: 'Licence', de: 'Führerschein' },
        items: [
          { key: 'licence', label: 'Licence', type: 'boolean' },
          { key: 'since', label: { en: 'Years', de: 'Jahre' }, type: 'integer' },
        ],
      },
    ],
  });
  const form_values = [{ item_id: sections[0]?.items[0]?.id, value: true }];
  await service.client.post(`/applications/${application.id}/form_values`, { form_values });
  await browser.open(`data/forms/${form.id}`);
  const conditions = page.locator('ats-condition-form');
  await conditions.getByLabel('Question without a condition').selectOption({ label: 'Years' });
  await conditions.getByRole('button', { name: 'Add a condition' }).focus();
  await page.keyboard.press('Enter');
  await conditions.locator('.cm-content:focus').waitFor();
  await page.keyboard.type('application.formdata.licence == false');
  await conditions.getByText('Matching now: 0').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('application.formdata.licence == true');
  const matches = conditions.locator('ats-object-preview li');
  await matches.getByRole('link', { name: /Vandersloot: / }).waitFor();
  await expectAccessible();

  const save = conditions.getByRole('button', { name: 'Save' });
  const editor = conditions.locator('.cm-content');
  await editor.fill('application.formdata.unknown == true');
  await save.focus();
  await page.keyboard.press('Enter');
  await conditions.locator('#error', { hasText: 'unknown' }).waitFor();
  await editor.fill('application.formdata.licence == true');
  await save.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Saved.', { exact: true }).waitFor();
  // Storing the condition must not change the texts in other languages.
  const german = await service.client.request('GET', `/forms/${form.id}`, undefined, { 'Accept-Language': 'de' });
  expect(await german.json()).toMatchObject({
    sections: [
      {
        name: 'Führerschein',
        items: [
          { key: 'licence', visible_if: null },
          { key: 'since', label: 'Jahre', visible_if: 'application.formdata.licence == true' },
        ],
      },
    ],
  });
  await conditions.getByRole('button', { name: 'Remove Condition of' }).click();
  await matches.first().waitFor({ state: 'detached' });
  await save.click();
  await conditions.getByText('Every question is always shown.').waitFor();
  expect(faults).toEqual([]);
});

it('a template is shown for a chosen application while it is edited', async () => {
  const { page, faults } = browser;
  const name = '{{ application.user.lastname }}';
  const body = { name: 'Invitation'.repeat(20), type: 'email', subject: `Dear ${name}`, body: 'Please come.' };
  const template = await service.client.post('/message_templates', body);
  await browser.open(`data/message_templates/${template.id}`);
  const preview = page.locator('ats-template-preview');
  await preview.getByText('Dear Vandersloot').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Subject').fill(`Hello ${name}`);
  await preview.getByText('Hello Vandersloot').waitFor();
  // Long words in the heading and in the preview break, so that the page is not wider than its window.
  await page.getByLabel('Subject').fill('x'.repeat(200));
  await preview.getByText('x'.repeat(200)).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1_280);
  await expectAccessible();
  expect(faults).toEqual([]);
});

it('the timeline shows labels of changed properties, formatted dates, and labels of form items', async () => {
  const { page } = browser;
  const { client } = service;
  const own = await applyTo(client, await openVacancy(client));
  const form = await client.post<Item & { sections: { items: Item[] }[] }>('/forms', {
    name: 'Start',
    resource: 'applications',
    sections: [
      {
        name: 'Start',
        items: [
          { key: 'first_day', label: 'First day', type: 'date' },
          { key: 'moves', label: 'Moves?', type: 'single_select', options: [{ value: 'no', label: 'Not now' }] },
        ],
      },
    ],
  });
  const [day, moves] = form.sections[0]?.items ?? [];
  const form_values = [
    { item_id: day?.id, value: '2026-11-22' },
    { item_id: moves?.id, value: 'no' },
  ];
  await client.post(`/applications/${own.id}/form_values`, { form_values });
  await client.request('PATCH', `/applications/${own.id}`, { rating: 4 });
  const copyTo = await openVacancy(client);
  const copy = await client.post(`/applications/${own.id}/copy`, { opp_id: copyTo.id });
  await browser.open(`applications/applications/${own.id}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.locator('li li', { hasText: 'Rating: – → 4' }).waitFor();
  await timeline.locator('li li', { hasText: 'First day: – → Nov 22, 2026' }).waitFor();
  await timeline.locator('li li', { hasText: 'Moves? – → Not now' }).waitFor();
  const link = timeline.getByRole('link', { name: /^Xanthippe Vandersloot: / });
  await link.click();
  await page.waitForURL(new RegExp(`applications/applications/${copy.id}$`));
  await service.client.delete(`/forms/${form.id}`).catch(() => undefined);
});
