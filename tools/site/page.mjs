// @ts-check
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The number of DOM nodes below which each page must stay. Only elements are counted. */
export const MAX_NODES = 3_000;
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Opens a page and measures it.
 * @param {import('playwright-core').Browser} browser
 * @param {{ base: string, url: string, screenshots?: string | undefined }} options
 * @returns {Promise<import('./figures.mjs').PageResult>}
 */
export async function walkPage(browser, { base, url, screenshots }) {
  const context = await browser.newContext({ viewport: DESKTOP });
  try {
    const page = await context.newPage();
    /** @type {string[]} */
    const faults = [];
    page.on('console', (message) => void (message.type() === 'error' && faults.push(`console: ${message.text()}`)));
    page.on('pageerror', (error) => void faults.push(`script: ${error.message}`));
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const answer = await page.goto(`${base}${url}`, { waitUntil: 'load' });
    if (answer?.status() !== 200) faults.push(`status ${answer?.status()}`);
    const { metrics } = await session.send('Performance.getMetrics');
    const cpuMs = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    const contentMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now(),
    );
    const nodes = await countNodes(page);
    if (nodes >= MAX_NODES) faults.push(`${nodes} DOM nodes, expected fewer than ${MAX_NODES}`);
    faults.push(...(await axeViolations(page, 'light')));
    const name = url.replaceAll('/', '_');
    if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`) });
    await page.emulateMedia({ colorScheme: 'dark' });
    faults.push(...(await axeViolations(page, 'dark')));
    if (screenshots) await page.screenshot({ path: join(screenshots, `${name}dark.png`) });
    await page.setViewportSize(PHONE);
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (width > PHONE.width) faults.push(`${width} px wide on a phone of ${PHONE.width} px`);
    if (screenshots) await page.screenshot({ path: join(screenshots, `${name}phone.png`) });
    return { url, nodes, cpuMs, contentMs, faults };
  } finally {
    await context.close();
  }
}

/** Counts elements, as Lighthouse does. @param {import('playwright-core').Page} page */
const countNodes = (page) =>
  page.evaluate(() => {
    const { document, NodeFilter } = /** @type {any} */ (globalThis);
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
    let count = 1;
    while (walker.nextNode()) count++;
    return count;
  });

/**
 * Lists what axe finds on the page: with all its rules in light mode, and with the rule about contrast in dark mode.
 * Dark mode has other colours, but the same elements.
 * @param {import('playwright-core').Page} page
 * @param {'light' | 'dark'} scheme
 */
async function axeViolations(page, scheme) {
  if (scheme === 'light') await page.evaluate(AXE);
  const options = scheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
  const violations = await page.evaluate(async (given) => {
    const { axe } = /** @type {{ axe: { run: (options: object) => Promise<{ violations: any[] }> } }} */ (
      /** @type {unknown} */ (globalThis)
    );
    const { violations: found } = await axe.run(given);
    return found.map(
      ({ id, nodes }) =>
        `${id} at ${nodes
          .map((/** @type {any} */ { target }) => target.join(' '))
          .slice(0, 3)
          .join(', ')}`,
    );
  }, options);
  return violations.map((violation) => `axe in ${scheme} mode: ${violation}`);
}
