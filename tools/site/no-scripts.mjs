// @ts-check
import { DESKTOP, PHONE } from './page.mjs';

const OPERATION = '/docs/api/applications/create/';
const GUIDE = '/docs/guides/webhooks/';
/** Greatest time in ms of one step. Pages are static, so a step that takes longer has not found its element. */
const VISIBLE_MS = 10_000;

/**
 * Reads an operation of the site without scripts, on a desktop and on a phone: its samples open, and the navigation
 * leads to a guide.
 * @param {import('playwright-core').Browser} browser
 * @param {string} base
 * @returns {Promise<string[]>} faults
 */
export async function scriptFaults(browser, base) {
  /** @type {string[]} */
  const faults = [];
  for (const viewport of [DESKTOP, PHONE]) {
    const context = await browser.newContext({ viewport, javaScriptEnabled: false });
    context.setDefaultTimeout(VISIBLE_MS);
    let step = 'the samples';
    try {
      const page = await context.newPage();
      await page.goto(`${base}${OPERATION}`);
      await page.locator('summary', { hasText: 'Python' }).click();
      await page.getByText('requests.post(').waitFor();
      step = 'the navigation';
      if (viewport === PHONE) await page.locator('button[popovertarget]').click();
      await page.locator(`#starlight__sidebar a[href="${GUIDE}"]`).click();
      step = 'the guide';
      await page.waitForURL(`${base}${GUIDE}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    } catch (error) {
      faults.push(`without scripts, ${viewport.width} px wide: ${step}: ${String(error)}`);
    } finally {
      await context.close();
    }
  }
  return faults;
}
