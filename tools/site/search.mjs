// @ts-check

/** Words that a reader searches for, and the first page that the search must find. */
const FIRST_PAGES = {
  'rate limit': '/docs/reference/limits/',
  per_page: '/docs/reference/paging/',
  pagination: '/docs/reference/paging/',
  'strict ordering': '/docs/reference/notifications/',
};

/**
 * Searches the site as a reader does, under the content security policy of the API. Hundreds of pages of operations
 * have the same words. These pages must not come before the page that explains the words.
 * @param {import('playwright-core').Browser} browser
 * @param {string} base
 * @returns {Promise<string[]>} faults
 */
export async function searchFaults(browser, base) {
  const page = await browser.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on('console', (message) => void (message.type() === 'error' && faults.push(`search: ${message.text()}`)));
  await page.goto(`${base}/docs`, { waitUntil: 'load' });
  await page.click('button[data-open-modal]');
  for (const [words, url] of Object.entries(FIRST_PAGES)) {
    await page.fill('dialog input', words);
    const first = page.locator('dialog .pagefind-ui__result:first-child');
    try {
      await first.locator(`a[href^="${url}"]`).first().waitFor();
    } catch {
      const href = await first
        .locator('a')
        .first()
        .getAttribute('href', { timeout: 1_000 })
        .catch(() => 'none');
      faults.push(`search: the first page for ${words} is ${href}, not ${url}`);
    }
  }
  await page.close();
  return faults;
}
