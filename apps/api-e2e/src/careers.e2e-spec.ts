// @group long: starts Chromium, and installs it when it is missing
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Item, openVacancy } from './support/api-client.js';
import { Browser } from './support/browser.js';
import { SINGLE, Service } from './support/service.js';

const PAGE = join(__dirname, '../../../examples/careers');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };
jest.setTimeout(300_000);

let service: Service;
let browser: Browser;
let site: Server;
let address: string;
let folder: string;
let posting: Item;
let question: string;

/**
 * Serves the example page on a server of its own, so that its origin differs from the API's. The page shows the given
 * board.
 */
async function serve(board: string): Promise<void> {
  site = createServer(({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1);
    response.setHeader('content-type', TYPES[extname(name)] ?? 'text/plain');
    response.end(readFileSync(join(PAGE, name), 'utf8').replace(/data-board="[^"]*"/, `data-board="${board}"`));
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'careers-'));
  service = await Service.start({ DOCUMENTS_FOLDER: join(folder, 'documents'), DOCUMENT_MAX_BYTES: '1000' }, SINGLE);
  const { client } = service;
  const board = await client.post('/job_boards', { name: 'Careers', code: 'careers', is_public: true });
  const vacancy = await openVacancy(client);
  posting = await client.post('/postings', {
    job_board_id: board.id,
    vacancy_id: vacancy.id,
    title: 'Gardener',
    description: '<p>Grow <strong>roses</strong></p>',
    opening_date: '2020-01-01',
  });
  const items = [
    { key: 'visa', label: 'Visa', type: 'single_select', required: true, options: [{ value: 'yes' }, { value: 'no' }] },
    { key: 'until', label: 'Until', type: 'text', visible_if: 'application.formdata.visa == "yes"' },
  ];
  const form = await client.post('/forms', {
    name: 'Questions',
    resource: 'applications',
    on_apply: 'required',
    opportunity_ids: [vacancy.id],
    sections: [{ name: 'You', items }],
  });
  const [section] = form['sections'] as readonly { readonly id: number; readonly items: readonly Item[] }[];
  question = `/answers/section_${section?.id}/item_`;
  await serve(`${new URL(client.baseUrl).origin}/public/v1/boards/careers`);
  browser = await Browser.start();
});
afterAll(async () => {
  await browser.stop();
  site.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Maps the path of a field to the error that the page shows beside it. */
const errors = (): Promise<Readonly<Record<string, string>>> =>
  browser.evaluate(`Object.fromEntries([...document.querySelectorAll('.error:not(:empty)')]
    .map((error) => [error.closest('[data-path]')?.dataset.path ?? '', error.textContent]))`);

async function submit(): Promise<void> {
  await browser.click('form button:not([type])');
  await browser.waitFor(`!document.querySelector('form button[disabled]')`);
}

it('a visitor finds a posting, sees each error next to its field, uploads a CV and applies', async () => {
  await browser.open(address);
  await browser.waitFor(`document.querySelector('.postings a')`);
  expect(await browser.evaluate(`document.querySelector('.postings').textContent`)).toBe('Gardener');
  await browser.click('.postings a');
  await browser.waitFor(`document.querySelector('form')`);
  expect(await browser.evaluate(`document.querySelector('main strong').textContent`)).toBe('roses');
  const jsonLd = await browser.evaluate<string>(`document.querySelector('[type="application/ld+json"]').textContent`);
  expect(JSON.parse(jsonLd)).toMatchObject({ '@type': 'JobPosting', title: 'Gardener' });

  await browser.fill('#candidate-email', 'ada');
  await submit();
  const [visa = '', until = ''] = await browser.evaluate<string[]>(
    `[...document.querySelectorAll('[data-path^="${question}"]')].map((field) => field.dataset.path)`,
  );
  expect(Object.keys(await errors()).sort()).toEqual(
    [visa, '/candidate/email', '/candidate/firstname', '/candidate/lastname'].sort(),
  );

  const isHidden = (path: string) =>
    browser.evaluate(`document.querySelector('[data-path="${path}"]').hasAttribute('hidden')`);
  expect(await isHidden(until)).toBe(true);
  await browser.fill(`[data-path="${visa}"] select`, 'yes');
  expect(await isHidden(until)).toBe(false);

  await browser.fill('#candidate-firstname', 'Ada');
  await browser.fill('#candidate-lastname', 'Lovelace');
  await browser.fill('#candidate-email', 'ada@example.com');
  const file = join(folder, 'Lebenslauf.pdf');
  writeFileSync(file, 'x'.repeat(1_001));
  await browser.choose('#cv', file);
  await submit();
  expect(Object.keys(await errors())).toEqual(['/documents/cv']);

  const smaller = join(folder, 'cv.pdf');
  writeFileSync(smaller, '%PDF-1.7\n%%EOF\n');
  await browser.choose('#cv', smaller);
  await browser.click('form button:not([type])');
  await browser.waitFor(`document.querySelector('h1')?.textContent === 'Thank you'`);

  const { client } = service;
  const [application, ...others] = await client.get<Item[]>(`/applications?search=/posting/id=${posting.id}`);
  expect(others).toEqual([]);
  expect(application).toMatchObject({ source: 'careers' });
  const documents = await client.get<Item[]>(`/documents?search=document.application.id=${application?.id}`);
  expect(documents).toMatchObject([{ name: 'cv.pdf', kind: 'cv', media_type: 'application/pdf' }]);
});
