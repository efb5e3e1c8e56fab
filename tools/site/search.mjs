// @ts-check

/**
 * Searches the site as a reader does, under the policy of the API.
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
  await page.fill('dialog input', 'rate limit');
  const links = page.locator('dialog a[href^="/docs/reference/limits/"]');
  await links.first().waitFor();
  await page.close();
  return faults;
}
