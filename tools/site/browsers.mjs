// @ts-check
import { chromium } from 'playwright-core';

/** @typedef {import('playwright-core').Browser} Browser */

/**
 * Number of pages that one browser opens before a new browser takes its place. Chromium does not free all memory of
 * closed pages.
 */
const PAGES_OF_A_BROWSER = 40;
const MAX_TRIES = 3;

/** Starts browsers, and replaces a browser that has ended, for example because the machine had no memory left. */
export class Browsers {
  /** @type {{ browser: Promise<Browser>, uses: number, running: number } | undefined} */
  #current;

  /** @param {string} executablePath */
  constructor(executablePath) {
    this.executablePath = executablePath;
  }

  /**
   * Runs work in a browser. Repeats it in a new one when the browser has ended.
   * @template Result
   * @param {(browser: Browser) => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async use(work) {
    for (let tries = 1; ; tries++) {
      const slot = this.#slot();
      slot.running++;
      const browser = await slot.browser;
      try {
        return await work(browser);
      } catch (error) {
        if (browser.isConnected() || tries === MAX_TRIES) throw error;
        if (slot === this.#current) this.#current = undefined;
        console.log('Chromium ended unexpectedly, so the page is opened in a new Chromium');
      } finally {
        slot.running--;
        if (slot === this.#current && slot.uses >= PAGES_OF_A_BROWSER) this.#current = undefined;
        // A browser that is left open would keep this process running.
        if (slot !== this.#current && slot.running === 0) await browser.close();
      }
    }
  }

  #slot() {
    const launch = () => chromium.launch({ executablePath: this.executablePath, args: ['--no-sandbox'] });
    this.#current ??= { browser: launch(), uses: 0, running: 0 };
    this.#current.uses++;
    return this.#current;
  }

  async close() {
    await (await this.#current?.browser)?.close();
  }
}
